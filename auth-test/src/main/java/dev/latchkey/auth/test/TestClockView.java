package dev.latchkey.auth.test;

import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;

/**
 * Replaces the clock bean of the starter or of the service by a view of the {@link TestClock}. Only the instance is
 * replaced, so the bean is a candidate for the same injections as in production.
 */
record TestClockView(ObjectProvider<TestClock> clock) implements BeanPostProcessor, PriorityOrdered {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return beanName.equals(LatchkeyAutoConfiguration.CLOCK) ? view(clock.getObject()) : bean;
    }

    /** A {@link java.time.Clock}, because a service may declare its bean as such. */
    private static InstantSource view(TestClock clock) {
        InstantSource instants = clock::instant;
        return instants.withZone(ZoneOffset.UTC);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
