package dev.latchkey.auth.spring.operations;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/** Audits changed limits and ended sessions. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({AuditApplicationEvent.class, SecurityContextHolder.class})
final class AuditConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LimitAudit latchkeyLimitAudit(
            ApplicationEventPublisher events, ObjectProvider<SecurityContextHolderStrategy> holders) {
        return new LimitAudit(events, () -> holders.getIfUnique(SecurityContextHolder::getContextHolderStrategy));
    }

    @Bean
    @ConditionalOnMissingBean
    LoginAudit latchkeyLoginAudit(ApplicationEventPublisher events) {
        return new LoginAudit(events);
    }
}
