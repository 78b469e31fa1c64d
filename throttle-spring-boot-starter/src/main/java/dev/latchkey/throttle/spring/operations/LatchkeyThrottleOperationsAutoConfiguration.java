package dev.latchkey.throttle.spring.operations;

import dev.latchkey.throttle.spring.LatchkeyThrottleAutoConfiguration;
import dev.latchkey.throttle.spring.ThrottleControls;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/**
 * Meters, the actuator's endpoint and the audit of throttles, if the service has throttles and the necessary libraries.
 */
@AutoConfiguration(after = LatchkeyThrottleAutoConfiguration.class)
@ConditionalOnBean(ThrottleControls.class)
public final class LatchkeyThrottleOperationsAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static final class Meters {

        @Bean
        @ConditionalOnMissingBean
        ThrottleMeters latchkeyThrottleMeters(ObjectProvider<ThrottleControls> controls) {
            return new ThrottleMeters(controls::getObject);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static final class Actuator {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        ThrottleEndpoint latchkeyThrottleEndpoint(ThrottleControls controls) {
            return new ThrottleEndpoint(controls);
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean(ThrottleEndpoint.class)
        @ConditionalOnAvailableEndpoint(ThrottleEndpoint.class)
        ThrottleWebEndpoint latchkeyThrottleWebEndpoint(ThrottleEndpoint endpoint) {
            return new ThrottleWebEndpoint(endpoint);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({AuditApplicationEvent.class, SecurityContextHolder.class})
    static final class AuditWithSecurity {

        @Bean
        @ConditionalOnMissingBean
        ThrottleAudit latchkeyThrottleAudit(
                ApplicationEventPublisher events, ObjectProvider<SecurityContextHolderStrategy> holders) {
            return new ThrottleAudit(events, () -> {
                Authentication user = holders.getIfUnique(SecurityContextHolder::getContextHolderStrategy)
                        .getContext()
                        .getAuthentication();
                return user == null ? "" : user.getName();
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(AuditApplicationEvent.class)
    @ConditionalOnMissingClass("org.springframework.security.core.context.SecurityContextHolder")
    static final class Audit {

        @Bean
        @ConditionalOnMissingBean
        ThrottleAudit latchkeyThrottleAudit(ApplicationEventPublisher events) {
            return new ThrottleAudit(events, () -> "");
        }
    }
}
