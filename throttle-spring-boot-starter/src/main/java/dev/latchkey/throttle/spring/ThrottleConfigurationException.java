package dev.latchkey.throttle.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** The service cannot start because of the configuration of its throttles. Contains the problem and the correction. */
final class ThrottleConfigurationException extends RuntimeException {

    private final String action;

    /**
     * @param problem the problem with the name of the property, without a secret
     * @param action the correction, as a sentence
     */
    ThrottleConfigurationException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    String action() {
        return action;
    }

    /**
     * Prints the problem of the configuration in place of a stack trace. Has the highest precedence, because Boot has
     * analyzers for wrapping exceptions.
     */
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static final class Analyzer extends AbstractFailureAnalyzer<ThrottleConfigurationException> {

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, ThrottleConfigurationException cause) {
            return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
        }
    }
}
