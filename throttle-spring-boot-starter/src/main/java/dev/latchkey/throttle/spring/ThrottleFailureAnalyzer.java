package dev.latchkey.throttle.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Prints the problem of the configuration in place of a stack trace. Has the highest precedence, because Boot has
 * analyzers for wrapping exceptions.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ThrottleFailureAnalyzer extends AbstractFailureAnalyzer<ThrottleConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ThrottleConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
