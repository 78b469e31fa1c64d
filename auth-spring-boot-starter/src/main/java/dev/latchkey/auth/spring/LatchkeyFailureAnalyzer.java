package dev.latchkey.auth.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints what is wrong with the configuration instead of a stack trace. */
final class LatchkeyFailureAnalyzer extends AbstractFailureAnalyzer<LatchkeyConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LatchkeyConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
