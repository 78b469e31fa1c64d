package dev.latchkey.auth.client.http;

import dev.latchkey.auth.client.Authorization;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;

/**
 * A request with the start of its {@link HttpRequest#timeout()}. All waits for tokens and both exchanges share this
 * time-out.
 *
 * @param start by {@link System#nanoTime}
 */
record TimedRequest(HttpRequest request, long start) {

    /** A request must have a positive time-out, even after its end. */
    private static final Duration SHORTEST = Duration.ofNanos(1);

    /** 292 years, the longest time of a wait. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    static TimedRequest startingNow(HttpRequest request) {
        return new TimedRequest(request, System.nanoTime());
    }

    /** The rest of the time-out, always positive; empty without a time-out. */
    Optional<Duration> left() {
        return request.timeout()
                .map(timeout -> timeout.minusNanos(System.nanoTime() - start))
                .map(left -> left.compareTo(SHORTEST) < 0 ? SHORTEST : left)
                .map(left -> left.compareTo(LONGEST) > 0 ? LONGEST : left);
    }

    /** The request with these credentials and the rest of the time-out. */
    HttpRequest authorized(Authorization shown) {
        HttpRequest.Builder authorized =
                HttpRequest.newBuilder(request, (name, value) -> true).header(Authorization.FIELD, shown.fieldValue());
        left().ifPresent(authorized::timeout);
        return authorized.build();
    }
}
