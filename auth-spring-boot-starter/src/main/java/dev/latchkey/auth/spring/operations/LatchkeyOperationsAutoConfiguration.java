package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Import;

/** Health, actuator endpoints, and the audit of changes. */
@AutoConfiguration(after = LatchkeyGuardAutoConfiguration.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ConditionalOnClass(name = "org.springframework.boot.actuate.endpoint.annotation.Endpoint")
@Import({
    ActuatorHealthConfiguration.class,
    HealthConfiguration.class,
    EndpointConfiguration.class,
    AuditConfiguration.class
})
public final class LatchkeyOperationsAutoConfiguration {}
