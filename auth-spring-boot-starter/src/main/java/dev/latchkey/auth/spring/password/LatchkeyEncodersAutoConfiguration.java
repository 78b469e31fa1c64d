package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LimitedLogins;
import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Cache, limits and permits for every password encoder, as a bean or inside a provider. */
@AutoConfiguration(after = {LatchkeyCacheAutoConfiguration.class, LatchkeyGuardAutoConfiguration.class})
@ConditionalOnClass(PasswordEncoder.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(LatchkeyEncodersAutoConfiguration.OnCacheOrGuard.class)
public final class LatchkeyEncodersAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    static LoginEncoders latchkeyLoginEncoders(
            ObjectProvider<CredentialCache> cache,
            ObjectProvider<HashingPermits> permits,
            ObjectProvider<LimitedLogins> logins,
            ObjectProvider<HashBudget> budget) {
        return new LoginEncoders(cache, permits, logins, budget);
    }

    @Bean
    static EncoderPostProcessor latchkeyEncoderPostProcessor(
            ConfigurableListableBeanFactory beans, ObjectProvider<LoginEncoders> encoders) {
        return new EncoderPostProcessor(beans, encoders);
    }

    /** Separate, because a service may have Spring Security's encoders without its providers. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DaoAuthenticationProvider.class)
    @ImportRuntimeHints(ProviderEncoderPostProcessor.Hints.class)
    static final class Providers {

        @Bean
        static ProviderEncoderPostProcessor latchkeyProviderEncoderPostProcessor(
                ObjectProvider<LoginEncoders> encoders,
                ObjectProvider<PasswordUpgrade> upgrades,
                ObjectProvider<UserDetailsService> accounts) {
            return new ProviderEncoderPostProcessor(encoders, new LaterUpgrades(upgrades, accounts));
        }
    }

    static final class OnCacheOrGuard extends AnyNestedCondition {

        OnCacheOrGuard() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty(name = "latchkey.cache.enabled", matchIfMissing = true)
        static final class WithCache {}

        @ConditionalOnProperty(name = "latchkey.guard.enabled", matchIfMissing = true)
        static final class WithGuard {}
    }
}
