package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.Acquisition;
import dev.latchkey.throttle.ThrottleClient;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A body and its byte-counting throttles. Each piece passes all throttles in order, so the narrowest determines the
 * rate. Of the other settings, the smallest applies. The same on servlets and on WebFlux.
 *
 * <p>For a single piece at a time. The wait of a piece may end on any thread.
 */
final class BodyThrottle {

    /**
     * A refusal for another reason than a rate: the memory is full, the client does not read, or the request has ended. The
     * scope has no meaning.
     */
    static final ThrottleResult.Refused FOR_NOW =
            new ThrottleResult.Refused(ThrottleScope.GLOBAL, Duration.ofSeconds(1));

    private final List<ThrottleRule> rules;
    private final List<ThrottleClient> clients;

    /** The acquisition of the last piece. */
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

    /** The rules that count bytes. */
    static List<ThrottleRule> counting(List<ThrottleRule> matching) {
        return matching.stream().filter(rule -> rule.endpoints().countsBytes()).toList();
    }

    /** @param counting at least one rule; all count bytes */
    static BodyThrottle of(List<ThrottleRule> counting, @Nullable String principal, ClientSource source) {
        return new BodyThrottle(counting, ThrottleRule.clients(counting, principal, source));
    }

    /** Acquires the next piece, see {@link ThrottleClient#acquire}. */
    CompletableFuture<ThrottleResult> acquire(long bytes) {
        Acquisition acquisition = Acquisition.begin(clients, bytes);
        last = acquisition;
        return acquisition.result();
    }

    /** Blocks the calling thread. Returns the refusal, or empty if the piece has passed. */
    Optional<ThrottleResult.Refused> await(CompletableFuture<ThrottleResult> result) {
        return ThrottleRule.await(result, ThrottleRule.longestWait(rules));
    }

    /** The refusal for the client, after a refused piece or a stalled client. */
    ThrottleRefusal refusal(ThrottleResult.Refused refused) {
        Acquisition asked = last;
        return new ThrottleRefusal(rules.get(asked == null ? 0 : asked.position()), refused);
    }

    /** The size of a piece in bytes. */
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

    /** A throttled body could not be sent completely. The container closes the connection, so the client notices. */
    static final class CutOffException extends IOException {

        CutOffException() {
            super(
                    "The body of a response was cut off: the wait for its throttle was too long, or its client did not read");
        }

        /** The cause is a client or a rate, so a stack trace has no value. */
        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
