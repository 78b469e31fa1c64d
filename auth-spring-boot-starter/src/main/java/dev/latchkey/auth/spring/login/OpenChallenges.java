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
 * Logins of this process between two steps.
 *
 * <p>The client gets a continuation: random, valid once and for a few minutes, and only from the client IP and the tenant of the
 * first step. The continuation alone is no proof: the client still has to pass the step. Only the digest of the continuation is
 * kept.
 *
 * <p>The number of open logins is bounded. Beyond the bound, the account with the most open logins loses its oldest login, and
 * the client starts again. So a flood of logins for a single account does not displace the logins of another account. Safe for
 * use by any number of threads.
 */
final class OpenChallenges {

    static final Duration LIFETIME = Duration.ofMinutes(5);

    static final int MOST = 10_000;

    private static final int BYTES = 32;
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    /**
     * A login between two steps.
     *
     * @param startedAt the start of the login; also the issue time of its tokens
     */
    record Open(
            Challenged challenge,
            Instant startedAt,
            Optional<String> address,
            Optional<String> tenant,
            TokenOptions options) {}

    private record Entry(Open open, Instant endsAt) {
        Account account() {
            return Account.of(open.challenge());
        }
    }

    /** Accounts of two plugins may have the same name. */
    private record Account(String plugin, String subjectId) {
        static Account of(Challenged challenge) {
            Authenticated login = challenge.soFar();
            return new Account(login.plugin(), login.subject().id());
        }
    }

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /** By the digest of the continuation, in the order of expiry. */
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** The digests of each account's entries, the oldest first. */
    private final Map<Account, Deque<String>> byAccount = new HashMap<>();

    OpenChallenges(InstantSource clock) {
        this.clock = clock;
    }

    /** Keeps a challenge for the client of this request. */
    NextStep open(Challenged challenge, Instant startedAt, RequestContext context, TokenOptions options) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        String continuation = TEXT.encodeToString(bytes);
        Open open = new Open(challenge, startedAt, context.address(), context.tenant(), options);
        synchronized (entries) {
            dropEnded();
            if (entries.size() == MOST) {
                dropOneOfMost();
            }
            keep(digest(continuation), new Entry(open, clock.instant().plus(LIFETIME)));
        }
        return new NextStep(challenge.method(), challenge.parameters(), continuation, LIFETIME);
    }

    /** The challenge of this continuation, if any. Afterwards the continuation is invalid. */
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

    /** Scans all accounts. This happens only above the bound, with more open logins than people can start. */
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
