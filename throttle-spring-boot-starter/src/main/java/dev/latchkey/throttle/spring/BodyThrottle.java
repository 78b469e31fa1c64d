package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.Acquisition;
import dev.latchkey.throttle.ThrottleClient;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import java.security.Principal;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One body before the throttles that count bytes. Each piece passes all of them in order, so it waits for the narrowest; of their other settings the
 * smallest hold. The same on servlets and on WebFlux.
 *
 * <p>For one piece at a time; its wait may end on any thread.
 */
final class BodyThrottle {

    private final List<ThrottleRule> rules;
    private final List<ThrottleClient> clients;

    /** Of the last piece. */
    private volatile @Nullable Acquisition last;

    private final int piece;
    private final long maxHeld;
    private final Duration writeTimeout;

    private BodyThrottle(List<ThrottleRule> rules, List<ThrottleClient> clients) {
        this.rules = rules;
        this.clients = clients;
        this.piece = Math.toIntExact(least(endpoints -> endpoints.chunk().toBytes()));
        this.maxHeld = least(endpoints -> endpoints.maxHeld().toBytes());
        this.writeTimeout = least(Endpoints::writeTimeout);
    }

    /** Those of the rules that count bytes. */
    static List<ThrottleRule> counting(List<ThrottleRule> matching) {
        return matching.stream().filter(rule -> rule.endpoints().countsBytes()).toList();
    }

    /** @param counting at least one, all of which count bytes */
    static BodyThrottle of(List<ThrottleRule> counting, @Nullable Principal principal, ClientSource source) {
        return new BodyThrottle(counting, ThrottleRule.clients(counting, principal, source));
    }

    /** Asks for the next piece, as {@link ThrottleClient#acquire} does. */
    CompletableFuture<ThrottleResult> acquire(long bytes) {
        Acquisition acquisition = ThrottleRule.acquire(clients, bytes);
        last = acquisition;
        return acquisition.result();
    }

    /** Waits with the calling thread; the refusal, or empty if it passed. */
    Optional<ThrottleResult.Refused> await(CompletableFuture<ThrottleResult> result) {
        return ThrottleRule.await(result, rules);
    }

    /** The refusal for the caller, when a piece was refused or the client stopped reading. */
    ThrottleRefusal refusal(ThrottleResult.Refused refused) {
        Acquisition asked = last;
        return new ThrottleRefusal(rules.get(asked == null ? 0 : asked.position()), refused);
    }

    /** Bytes of a piece. */
    int piece() {
        return piece;
    }

    long maxHeld() {
        return maxHeld;
    }

    Duration writeTimeout() {
        return writeTimeout;
    }

    private <T extends Comparable<T>> T least(Function<Endpoints, T> setting) {
        return rules.stream()
                .map(ThrottleRule::endpoints)
                .map(setting)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }
}
