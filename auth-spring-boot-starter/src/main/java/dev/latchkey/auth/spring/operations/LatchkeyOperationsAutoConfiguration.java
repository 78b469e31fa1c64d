package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Health, actuator endpoints, and the audit of changes. */
@AutoConfiguration(after = LatchkeyGuardAutoConfiguration.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Import({
    ActuatorHealthConfiguration.class,
    HealthConfiguration.class,
    EndpointConfiguration.class,
    AuditConfiguration.class
})
@EnableConfigurationProperties(HealthProperties.class)
public final class LatchkeyOperationsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RequiredPlugins latchkeyRequiredPlugins(HealthProperties properties, ObjectProvider<AuthChain> chains) {
        return new RequiredPlugins(properties.requiredPlugins(), chains);
    }
}
