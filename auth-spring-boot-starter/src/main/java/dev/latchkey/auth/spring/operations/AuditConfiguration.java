package dev.latchkey.auth.spring.operations;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.context.SecurityContextHolder;

/** Boot's audit of every change of a limit. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({AuditApplicationEvent.class, SecurityContextHolder.class})
final class AuditConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LimitAudit latchkeyLimitAudit(ApplicationEventPublisher events) {
        return new LimitAudit(events);
    }
}
