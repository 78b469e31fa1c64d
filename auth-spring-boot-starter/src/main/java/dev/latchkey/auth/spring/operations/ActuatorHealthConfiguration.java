package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.plugin.PluginBounds;
import dev.latchkey.auth.store.LocalRevocations;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health indicator on Boot 3.5. {@link HealthConfiguration} has the indicator for Boot 4. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(
        name = {
            "org.springframework.boot.actuate.health.HealthIndicator",
            "org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator"
        })
@EnableConfigurationProperties(HealthProperties.class)
final class ActuatorHealthConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RequiredPlugins latchkeyRequiredPlugins(HealthProperties properties, ObjectProvider<AuthChain> chains) {
        return new RequiredPlugins(properties.requiredPlugins(), chains);
    }

    @Bean
    @ConditionalOnMissingBean
    Outages latchkeyOutages(@Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new Outages(clock);
    }

    @Bean
    @ConditionalOnMissingBean(name = "latchkeyHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("latchkey")
    HealthIndicator latchkeyHealthIndicator(
            ObjectProvider<HashingPermits> pools,
            ObjectProvider<PluginBounds> bounds,
            ObjectProvider<LocalRevocations> revocations,
            RequiredPlugins required,
            Outages outages) {
        return () -> {
            HealthReport report = HealthReport.of(
                    pools.orderedStream().toList(),
                    bounds.stream().flatMap(each -> each.bulkheads().stream()).toList(),
                    revocations.stream().map(LocalRevocations::status).toList(),
                    required.names(),
                    outages);
            return Health.status(report.code()).withDetails(report.details()).build();
        };
    }

    /** For the group of readiness, where {@code latchkey} would take all nodes away during an outage of the store. */
    @Bean
    @ConditionalOnMissingBean(name = "latchkeyReadinessHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("latchkey")
    HealthIndicator latchkeyReadinessHealthIndicator(ObjectProvider<LocalRevocations> revocations) {
        FirstReading reading = new FirstReading(revocations);
        return () -> reading.isDone() ? Health.up().build() : Health.down().build();
    }
}
