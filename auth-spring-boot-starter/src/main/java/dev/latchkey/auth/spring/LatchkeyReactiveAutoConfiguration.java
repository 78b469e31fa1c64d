package dev.latchkey.auth.spring;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.LoginGuard;
import dev.latchkey.auth.guard.TrustedProxies;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.web.server.WebFilter;

/** Passwords in a WebFlux service: the cache, the guard and the work for unknown users, in every manager that checks them. */
@AutoConfiguration(
        after = {LatchkeyCacheAutoConfiguration.class, LatchkeyGuardAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration"
        })
@ConditionalOnClass({ReactiveAuthenticationManager.class, ServerHttpSecurity.class, WebFilter.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ImportRuntimeHints(ReactiveLoginRuntimeHints.class)
public final class LatchkeyReactiveAutoConfiguration {

    @Bean
    static ReactiveLoginPostProcessor latchkeyReactiveLoginPostProcessor(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<CredentialCache> cache,
            ObjectProvider<LoginGuard> guard) {
        return new ReactiveLoginPostProcessor(beans, cache, guard);
    }

    /** Where Spring Security has no post-processor of its own, it asks the only one there is. */
    @Bean
    @ConditionalOnMissingBean(name = ReactiveLoginPostProcessor.OF_SPRING)
    static ObjectPostProcessor<ReactiveAuthenticationManager> latchkeyReactiveManagers(
            ReactiveLoginPostProcessor logins) {
        return logins.before(ObjectPostProcessor.identity());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(LoginGuard.class)
    ReactiveRefusalFilter latchkeyReactiveRefusalFilter(TrustedProxies proxies) {
        return new ReactiveRefusalFilter(proxies);
    }
}
