package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.store.LocalRevocations;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The health indicator on Boot 4. {@link ActuatorHealthConfiguration} has the indicator for Boot 3.5. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
@Import(HealthReports.Configured.class)
final class HealthConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "latchkeyHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("latchkey")
    HealthIndicator latchkeyHealthIndicator(HealthReports reports) {
        return () -> {
            HealthReport report = reports.now();
            return Health.status(report.code()).withDetails(report.details()).build();
        };
    }

    @Bean
    @ConditionalOnMissingBean(name = "latchkeyReadinessHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("latchkey")
    HealthIndicator latchkeyReadinessHealthIndicator(ObjectProvider<LocalRevocations> revocations) {
        FirstReading reading = new FirstReading(revocations);
        return () -> reading.isDone() ? Health.up().build() : Health.down().build();
    }
}
