package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.password.LatchkeyEncodersAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.password.LoginEncoders;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.password.ReactiveCompromisedPasswordChecker;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.server.WebFilter;

/** Passwords in a WebFlux service: the cache, the permits and the work for unknown users, and the limits in every manager. */
@AutoConfiguration(
        after = {LatchkeyEncodersAutoConfiguration.class, LatchkeyGuardAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration"
        })
@ConditionalOnClass({ReactiveAuthenticationManager.class, ServerHttpSecurity.class, WebFilter.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ImportRuntimeHints(ReactiveManagersOfFilters.Hints.class)
public final class LatchkeyReactiveAutoConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    ReactiveHashing latchkeyReactiveHashing(ObjectProvider<HashingPermits> permits) {
        return new ReactiveHashing(permits.getIfAvailable());
    }

    /** The logins use the beans of Spring Security's own manager, and are created only with such a manager. */
    @Bean
    static ReactiveLoginPostProcessor latchkeyReactiveLoginPostProcessor(
            ConfigurableListableBeanFactory beans, ObjectProvider<AuthChain> chains) {
        return new ReactiveLoginPostProcessor(
                beans, SingletonSupplier.of(() -> loginOf(beans)), new MissingSteps(chains));
    }

    private static ReactiveServiceAccounts loginOf(BeanFactory beans) {
        PasswordEncoder encoder = beans.getBeanProvider(PasswordEncoder.class)
                .getIfAvailable(PasswordEncoderFactories::createDelegatingPasswordEncoder);
        return new ReactiveServiceAccounts(
                beans.getBean(ReactiveUserDetailsService.class),
                LoginEncoders.around(encoder, beans),
                beans.getBean(ReactiveHashing.class),
                beans.getBeanProvider(ReactiveUserDetailsPasswordService.class).getIfAvailable(),
                beans.getBeanProvider(PasswordUpgrade.class).getIfAvailable(),
                beans.getBeanProvider(ReactiveCompromisedPasswordChecker.class).getIfAvailable());
    }

    /** Without a post-processor of its own, Spring Security uses the only post-processor bean. */
    @Bean
    @ConditionalOnMissingBean(name = ReactiveLoginPostProcessor.OF_SPRING)
    static ObjectPostProcessor<ReactiveAuthenticationManager> latchkeyReactiveManagers(
            ReactiveLoginPostProcessor logins) {
        return logins.before(ObjectPostProcessor.identity());
    }

    @Bean
    @ConditionalOnMissingBean
    ReactiveRefusalFilter latchkeyReactiveRefusalFilter(
            ObjectProvider<TrustedProxies> proxies,
            ObjectProvider<LatchkeyProperties> properties,
            ObjectProvider<HeldRefusals> held) {
        return new ReactiveRefusalFilter(
                proxies.getIfAvailable(),
                RequestContexts.of(properties.getIfAvailable()),
                new ReactiveRefusals(held.getIfAvailable()));
    }
}
