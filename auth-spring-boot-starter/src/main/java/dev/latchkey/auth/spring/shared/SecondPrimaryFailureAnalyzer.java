package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.store.RevocationStore;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains the failure if the service's own store is primary beside its copy. Runs first, since Boot advises to mark a bean as
 * primary.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SecondPrimaryFailureAnalyzer extends AbstractFailureAnalyzer<NoUniqueBeanDefinitionException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoUniqueBeanDefinitionException cause) {
        boolean isOfTheCopy = cause.getBeanType() == RevocationStore.class
                && String.valueOf(cause.getMessage()).contains(LatchkeyRevocationCopyAutoConfiguration.COPY);
        return isOfTheCopy
                ? new FailureAnalysis(
                        "A RevocationStore bean is primary beside the copy that the starter keeps of the service's store: "
                                + cause.getMessage(),
                        "Take @Primary off the service's store: whoever needs a RevocationStore is given the copy, which asks the store. "
                                + "Where the service has several stores, none primary, let it make the copy of the right one itself: a "
                                + "LocalRevocations bean that is.",
                        cause)
                : null;
    }
}
