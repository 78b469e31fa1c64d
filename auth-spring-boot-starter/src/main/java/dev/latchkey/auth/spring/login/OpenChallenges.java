package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.RequestContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The logins of this process whose first step was right and whose next one is awaited.
 *
 * <p>The caller is given something to come back with. It is random, good once and for a few minutes, and only from the place where the login began:
 * the same address and the same tenant. Whoever has it still has to pass the step. It leads to what is kept here and to nothing else, and only its
 * digest is kept.
 *
 * <p>There is a bound. Where there are too many, the account that has most of them loses its oldest, and its caller begins again: nobody pushes out
 * the logins of others by beginning many of his own. Safe for use by any number of threads.
 */
final class OpenChallenges {

    static final Duration LIFETIME = Duration.ofMinutes(5);

    static final int MOST = 10_000;

    private static final int BYTES = 32;
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    /**
     * A login that awaits its next step.
     *
     * @param startedAt when it began: what it issues counts as issued then
     */
    record Open(Challenged challenge, Instant startedAt, Optional<String> address, Optional<String> tenant) {}

    private record Entry(Open open, Instant endsAt) {
        Account account() {
            return Account.of(open.challenge());
        }
    }

    /** Plugins may have accounts of one name. */
    private record Account(String plugin, String subjectId) {
        static Account of(Challenged challenge) {
            Authenticated login = challenge.soFar();
            return new Account(login.plugin(), login.subject().id());
        }
    }

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /** By the digest of what leads here; in the order in which they end. */
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** The digests of each account's entries, the oldest first. */
    private final Map<Account, Deque<String>> byAccount = new HashMap<>();

    OpenChallenges(InstantSource clock) {
        this.clock = clock;
    }

    /** Keeps a challenge for the caller of this request. */
    NextStep open(Challenged challenge, Instant startedAt, RequestContext context) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        String continuation = TEXT.encodeToString(bytes);
        Open open = new Open(challenge, startedAt, context.address(), context.tenant());
        synchronized (entries) {
            dropEnded();
            if (entries.size() == MOST) {
                dropOneOfMost();
            }
            keep(digest(continuation), new Entry(open, clock.instant().plus(LIFETIME)));
        }
        return new NextStep(challenge.method(), challenge.parameters(), continuation, LIFETIME);
    }

    /** The challenge that this leads to. Whatever comes of it, it leads nowhere afterwards. */
    Optional<Open> take(String continuation, RequestContext context) {
        Optional<Entry> entry;
        synchronized (entries) {
            entry = remove(digest(continuation));
        }
        return entry.filter(kept -> clock.instant().isBefore(kept.endsAt()))
                .map(Entry::open)
                .filter(open -> open.address().equals(context.address())
                        && open.tenant().equals(context.tenant()));
    }

    private void keep(String digest, Entry entry) {
        entries.put(digest, entry);
        byAccount
                .computeIfAbsent(entry.account(), account -> new ArrayDeque<>())
                .add(digest);
    }

    private Optional<Entry> remove(String digest) {
        Optional<Entry> entry = Optional.ofNullable(entries.remove(digest));
        entry.ifPresent(removed -> byAccount.computeIfPresent(removed.account(), (account, digests) -> {
            digests.remove(digest);
            return digests.isEmpty() ? null : digests;
        }));
        return entry;
    }

    private void dropEnded() {
        Instant now = clock.instant();
        while (!entries.isEmpty()) {
            Map.Entry<String, Entry> oldest = entries.entrySet().iterator().next();
            if (now.isBefore(oldest.getValue().endsAt())) {
                return;
            }
            remove(oldest.getKey());
        }
    }

    /** Looks at each account, which happens only while more logins are open than people can begin. */
    private void dropOneOfMost() {
        remove(Collections.max(byAccount.values(), Comparator.comparingInt(Deque::size))
                .getFirst());
    }

    private static String digest(String continuation) {
        try {
            byte[] text = continuation.getBytes(StandardCharsets.UTF_8);
            return TEXT.encodeToString(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
