package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.Sha256;
import dev.latchkey.auth.guard.source.ClientSource;
import java.nio.charset.StandardCharsets;
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
 * <p>The client gets a random continuation. The continuation is valid for a few minutes, only from the client IP and the tenant
 * of the first step, and only once. If the client got no answer, the client may send the same response again. The continuation
 * alone is no proof: the client still has to pass the step. Only the digest of the continuation is kept.
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
     * @param digest of the continuation
     * @param account the account at the start, for a login without a stamp; empty if the login has a stamp, or its plugin finds
     *     no accounts
     * @param startedAt the start of the login; also the issue time of its tokens
     * @param endsAt the end of the continuation
     * @param sent the client's first response; empty before this response
     */
    record Open(
            String digest,
            Challenged challenge,
            Optional<Authenticated> account,
            Instant startedAt,
            Instant endsAt,
            Optional<String> address,
            Optional<String> tenant,
            TokenOptions options,
            Optional<SentResponse> sent) {

        /** The login with this response; empty if the client has sent another response before. */
        Optional<Open> answeredBy(Map<String, Secret> response) {
            SentResponse only = sent.orElseGet(() -> new SentResponse(response));
            return only.isSame(response)
                    ? Optional.of(new Open(
                            digest, challenge, account, startedAt, endsAt, address, tenant, options, Optional.of(only)))
                    : Optional.empty();
        }

        private String subjectId() {
            return challenge.soFar().subject().id();
        }
    }

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /** By the digest of the continuation, in the order of expiry; logins that were kept again are at a later place. */
    private final Map<String, Open> entries = new LinkedHashMap<>();

    /** The digests of each account's entries, the oldest first. */
    private final Map<String, Deque<String>> byAccount = new HashMap<>();

    OpenChallenges(InstantSource clock) {
        this.clock = clock;
    }

    /** Keeps a challenge for the client of this request. */
    NextStep open(
            Challenged challenge,
            Optional<Authenticated> account,
            Instant startedAt,
            RequestContext context,
            TokenOptions options) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        String continuation = TEXT.encodeToString(bytes);
        synchronized (entries) {
            makeRoom();
            Instant endsAt = clock.instant().plus(LIFETIME);
            keep(new Open(
                    digest(continuation),
                    challenge,
                    account,
                    startedAt,
                    endsAt,
                    context.address(),
                    context.tenant(),
                    options,
                    Optional.empty()));
        }
        return new NextStep(challenge.method(), challenge.parameters(), continuation, LIFETIME);
    }

    /** Keeps a taken login for a repetition of its last request, until the end of the continuation. */
    void keepAgain(Open taken) {
        synchronized (entries) {
            makeRoom();
            keep(taken);
        }
    }

    /** The challenge of this continuation, if any. Afterwards the continuation is invalid. */
    Optional<Open> take(String continuation, RequestContext context) {
        Optional<Open> open;
        synchronized (entries) {
            open = remove(digest(continuation));
        }
        return open.filter(kept -> clock.instant().isBefore(kept.endsAt())
                && isSameClient(kept.address(), context.address())
                && kept.tenant().equals(context.tenant()));
    }

    /** Compares as the login limits do: a device may change its address within an IPv6 /64. */
    private static boolean isSameClient(Optional<String> one, Optional<String> other) {
        Optional<ClientSource> source = one.flatMap(ClientSource::of);
        return one.equals(other) || (source.isPresent() && source.equals(other.flatMap(ClientSource::of)));
    }

    private void keep(Open entry) {
        entries.put(entry.digest(), entry);
        byAccount
                .computeIfAbsent(entry.subjectId(), account -> new ArrayDeque<>())
                .add(entry.digest());
    }

    private Optional<Open> remove(String digest) {
        Optional<Open> entry = Optional.ofNullable(entries.remove(digest));
        entry.ifPresent(removed -> byAccount.computeIfPresent(removed.subjectId(), (account, digests) -> {
            digests.remove(digest);
            return digests.isEmpty() ? null : digests;
        }));
        return entry;
    }

    private void makeRoom() {
        dropEnded();
        if (entries.size() == MOST) {
            dropOneOfMost();
        }
    }

    private void dropEnded() {
        Instant now = clock.instant();
        while (!entries.isEmpty()) {
            Map.Entry<String, Open> oldest = entries.entrySet().iterator().next();
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
        return TEXT.encodeToString(Sha256.of(continuation.getBytes(StandardCharsets.UTF_8)));
    }
}
