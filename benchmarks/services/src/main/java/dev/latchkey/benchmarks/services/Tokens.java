package dev.latchkey.benchmarks.services;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes and checks the tokens of the service. */
interface Tokens {

    Duration LIFETIME = Duration.ofHours(5);

    String issue(String subject);

    /** The subject of this token; {@code null} for a foreign or expired token. */
    @Nullable
    String subjectOf(String token);
}
