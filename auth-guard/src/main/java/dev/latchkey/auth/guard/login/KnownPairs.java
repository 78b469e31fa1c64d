package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import dev.latchkey.auth.guard.internal.Durations;
import dev.latchkey.auth.guard.internal.SipHash;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of an account and a known client without failures. Logins of these pairs need no token. A keyed hash of the
 * presented name and the client selects the slot. For a login that a cache answers, the limits do one look-up and
 * create no object.
 *
 * <p>The hash covers the presented name without folding. One account may have several spellings and names. For each
 * account and client, only the spelling of the last login has an entry. Otherwise each spelling would admit as many
 * logins as the shared bucket has tokens. Therefore an entry has a second slot, by account and client. A slot holds one
 * entry; a new entry replaces the old entry. The logins of a pair without an entry pass the buckets, which use the same
 * history of clients.
 *
 * <p>Safe for use by any number of threads.
 */
final class KnownPairs {

    private static final int SLOTS = 1 << 13;
    private static final int ACCOUNT_SLOTS = 1 << 14;
    private static final int COUNTERS = 1 << 12;
    private static final int LONGEST_NAME = 256;

    /** After this time a known client passes the buckets again. This renews the client's entry in the history. */
    private static final Duration PAIR_LIVES_FOR = Duration.ofHours(1);

    /** The value of {@link #spelling} for a name that is never stored. */
    private static final long NONE = 0;

    private final LoginLedger ledger;
    private final AtomicReferenceArray<@Nullable KnownPair> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<@Nullable KnownPair> accountSlots = new AtomicReferenceArray<>(ACCOUNT_SLOTS);
    /** Counts of failures. Accounts with equal slots share a counter. */
    private final AtomicIntegerArray failures = new AtomicIntegerArray(COUNTERS);

    private final SipHash spellings = SipHash.random();
    private final SipHash fingerprints = SipHash.random();

    /** @param ledger provides the tokens of open logins when their pair retires */
    KnownPairs(LoginLedger ledger) {
        this.ledger = ledger;
    }

    /** The hash of the presented name and the client. */
    long spelling(String name, ClientSource source) {
        boolean kept = source.fingerprint() != ClientSource.NO_FINGERPRINT && name.length() <= LONGEST_NAME;
        return kept ? spellings.hash(source.fingerprint(), name) : NONE;
    }

    /** The hash that identifies an account at the next look-up. */
    long fingerprint(String storedHash) {
        return fingerprints.hash(0, storedHash);
    }

    @Nullable
    KnownPair find(long spelling) {
        KnownPair pair = spelling == NONE ? null : slots.get(slot(spelling));
        return pair == null || pair.spelling() != spelling ? null : pair;
    }

    /** Admits the next logins of this pair without a token, if there were no failures. */
    void remember(long spelling, long fingerprint, ClientKeys client, List<AccountKeys> accounts) {
        int failuresBefore = failuresOf(accounts);
        long now = ledger.time().nanoTime();
        KnownPair present = find(spelling);
        if (client.client() == null
                || (present != null && present.holds(now))
                || !accounts.stream().allMatch(ledger.history()::isClean)) {
            return;
        }
        // Retires the entry of another spelling: the open logins of that entry take their tokens.
        retire(accountSlots.get(accountSlot(accounts)));
        int atATime = tokensLeft(accounts);
        if (atATime < 1) {
            return;
        }
        long livesFor = Math.min(
                PAIR_LIVES_FOR.toNanos(),
                Durations.saturatedNanos(ledger.settings().memory().sourcesFor()));
        put(new KnownPair(ledger, spelling, fingerprint, client, accounts, failuresBefore, atATime, now + livesFor));
    }

    /** The tokens in the pair's full bucket minus the tokens of current logins. */
    private int tokensLeft(List<AccountKeys> accounts) {
        long full = ledger.settings().policy(LoginBucket.KNOWN_CLIENT).atOnce();
        int held = accounts.stream()
                .mapToInt(account -> ledger.queue()
                        .openAt(BucketsOfLogin.ofKnownClient(account).bucket()))
                .max()
                .orElse(0);
        return (int) Math.min(full - held, Integer.MAX_VALUE);
    }

    /** Stores the pair in its slots. The replaced entries retire, because they can no longer be found. */
    void put(KnownPair pair) {
        if (pair.spelling() != NONE) {
            retire(slots.getAndSet(slot(pair.spelling()), pair));
            retire(accountSlots.getAndSet(accountSlot(pair.accounts()), pair));
        }
    }

    void remove(KnownPair pair) {
        slots.compareAndSet(slot(pair.spelling()), pair, null);
        accountSlots.compareAndSet(accountSlot(pair.accounts()), pair, null);
    }

    /** Forgets all pairs. The next login of each pair creates a new entry. */
    void clear() {
        for (int i = 0; i < SLOTS; i++) {
            retire(slots.getAndSet(i, null));
        }
    }

    private static void retire(@Nullable KnownPair displaced) {
        if (displaced != null) {
            displaced.retire();
        }
    }

    /**
     * Counts a failure of these accounts with this client. All entries of these accounts end. Accounts may share a
     * counter, so an entry of another account may end too.
     */
    void failed(List<AccountKeys> accounts) {
        accounts.forEach(account -> failures.incrementAndGet(counter(account)));
    }

    /**
     * The number of failures of these accounts and of accounts with the same counters. Compare with an earlier value.
     */
    int failuresOf(List<AccountKeys> accounts) {
        int sum = 0;
        for (int i = 0; i < accounts.size(); i++) {
            sum += failures.get(counter(accounts.get(i)));
        }
        return sum;
    }

    private static int counter(AccountKeys account) {
        return (int) account.narrowest().low() & (COUNTERS - 1);
    }

    /** The second slot, by the found account and the client. All names of the account have the same second slot. */
    private static int accountSlot(List<AccountKeys> accounts) {
        return (int) accounts.get(accounts.size() - 1).narrowest().high() & (ACCOUNT_SLOTS - 1);
    }

    private static int slot(long spelling) {
        return (int) (spelling >>> Integer.SIZE) & (SLOTS - 1);
    }
}
