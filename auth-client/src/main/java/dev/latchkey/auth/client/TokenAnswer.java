package dev.latchkey.auth.client;

import dev.latchkey.auth.Secret;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a login endpoint issued.
 *
 * @param authorization the access token as requests show it
 * @param lifetime of the access token; null where the endpoint does not say (RFC 6749 section 5.1)
 * @param refreshToken null where there is none
 */
record TokenAnswer(
        Authorization authorization,
        @Nullable Duration lifetime,
        @Nullable Secret refreshToken) {

    Optional<Duration> knownLifetime() {
        return Optional.ofNullable(lifetime);
    }
}
