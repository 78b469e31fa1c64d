package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The rows of accounts: read, and written by compare-and-set ({@link CodeStore}). Who loses reads and decides again. Immutable, and safe for
 * use by any number of threads.
 */
final class CodeRows {

    private static final int MOST_RACES = 10;
    private static final int REVISION_BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final CodeStore store;
    private final SecretKeys keys;
    private final InstantSource clock;

    CodeRows(CodeStore store, SecretKeys keys, InstantSource clock) {
        this.store = Objects.requireNonNull(store, "store");
        this.keys = Objects.requireNonNull(keys, "keys");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    CodeRows withClock(InstantSource other) {
        return new CodeRows(store, keys, other);
    }

    Instant now() {
        return clock.instant();
    }

    SecureRandom random() {
        return random;
    }

    /** As it is stored. */
    Optional<StoredCodes> stored(String account) {
        return store.find(keyOf(account));
    }

    /** What this says now. */
    AccountCodes read(String account, StoredCodes stored) {
        return new AccountCodes(keyOf(account), stored, keys, clock.instant());
    }

    /** What is stored of an account that has enrolled. */
    Optional<AccountCodes> enrolled(String account) {
        return find(account).filter(AccountCodes::isEnrolled);
    }

    Optional<AccountCodes> find(String account) {
        return store.find(keyOf(account)).map(stored -> read(account, stored));
    }

    /**
     * Stores this in place of what was read.
     *
     * @return whether that was still there
     */
    boolean write(String account, Optional<StoredCodes> before, StoredCodes after) {
        byte[] bytes = new byte[REVISION_BYTES];
        random.nextBytes(bytes);
        StoredCodes next = after.withRevision(HexFormat.of().formatHex(bytes));
        return before.map(read -> store.update(keyOf(account), read.revision(), next))
                .orElseGet(() -> store.insert(keyOf(account), next));
    }

    boolean delete(String account) {
        return store.delete(keyOf(account));
    }

    /**
     * One for all spellings of a name that differ in case, in width or in blanks around it. A store of accounts whose database ignores case
     * may find an account by another spelling and call it by that one: whoever writes it so is asked for the code as well. Two accounts whose names
     * differ in nothing else have one authenticator between them.
     */
    private static String keyOf(String account) {
        return Normalizer.normalize(account, Normalizer.Form.NFKC).strip().toLowerCase(Locale.ROOT);
    }

    /** Until it answers: it is empty where another write came in between. */
    static <T> T retried(Supplier<Optional<T>> attempt) {
        for (int i = 0; i < MOST_RACES; i++) {
            Optional<T> answer = attempt.get();
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        throw AuthUnavailableException.outage("An account's one-time codes are written by too many at once");
    }
}
