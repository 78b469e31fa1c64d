package dev.latchkey.throttle.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Prints what is wrong with the configuration instead of a stack trace; first, since Boot has analyzers for the exceptions around it. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ThrottleFailureAnalyzer extends AbstractFailureAnalyzer<ThrottleConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ThrottleConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
