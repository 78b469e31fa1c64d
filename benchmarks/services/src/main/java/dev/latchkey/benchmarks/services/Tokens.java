package dev.latchkey.benchmarks.services;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes and checks the tokens of the service. */
interface Tokens {

    Duration LIFETIME = Duration.ofHours(5);

    String issue(String subject);

    /** Whose token this is; {@code null} if it is none of ours or no longer valid. */
    @Nullable
    String subjectOf(String token);
}
