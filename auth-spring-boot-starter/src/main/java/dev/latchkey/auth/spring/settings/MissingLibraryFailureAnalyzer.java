package dev.latchkey.auth.spring.settings;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Names the missing library of a password hash. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingLibraryFailureAnalyzer extends AbstractFailureAnalyzer<NoClassDefFoundError> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoClassDefFoundError cause) {
        String missing = String.valueOf(cause.getMessage());
        if (!missing.startsWith("org/bouncycastle/")) {
            return null;
        }
        return new FailureAnalysis(
                "A password encoder for Argon2 or scrypt needs Bouncy Castle, and it is not on the class path: no "
                        + missing.replace('/', '.'),
                "Add the dependency org.bouncycastle:bcprov-jdk18on, or use another encoder.",
                cause);
    }
}
