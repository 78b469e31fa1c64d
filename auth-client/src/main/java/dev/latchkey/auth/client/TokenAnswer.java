package dev.latchkey.auth.client;

import dev.latchkey.auth.Secret;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tokens from a login endpoint.
 *
 * @param authorization the access token for requests
 * @param lifetime of the access token; null if the endpoint sends none (RFC 6749 section 5.1)
 * @param refreshToken null if there is none
 */
record TokenAnswer(
        Authorization authorization,
        @Nullable Duration lifetime,
        @Nullable Secret refreshToken) {

    Optional<Duration> knownLifetime() {
        return Optional.ofNullable(lifetime);
    }
}
