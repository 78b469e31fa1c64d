package dev.latchkey.auth.spring.plugin;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.DefaultAuthenticationEventPublisher;

/** Spring Security's events for the decisions of plugins; Boot's audit records these events. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(AuthenticationEventPublisher.class)
final class EventsConfiguration {

    @Bean
    @ConditionalOnMissingBean
    SecurityEvents latchkeySecurityEvents(
            ObjectProvider<AuthenticationEventPublisher> publisher, ApplicationEventPublisher events) {
        return new SecurityEvents(publisher.getIfUnique(() -> new DefaultAuthenticationEventPublisher(events)));
    }
}
