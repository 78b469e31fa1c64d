package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.WaitBound;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.SettingsConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The cache of verified credentials; cache, limits and permits for every password encoder, as a bean or inside a provider. */
@AutoConfiguration(after = LatchkeyGuardAutoConfiguration.class)
@ConditionalOnClass(PasswordEncoder.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(LatchkeyEncodersAutoConfiguration.OnCacheOrGuard.class)
@Import(SettingsConfiguration.class)
public final class LatchkeyEncodersAutoConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnProperty(name = "latchkey.cache.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean
    CredentialCache latchkeyCredentialCache(LatchkeyProperties properties, ObjectProvider<WaitingThreads> waiting) {
        WaitingThreads threads = waiting.getIfAvailable();
        return CredentialCache.with(
                properties.cache().settings(), threads == null ? WaitBound.NONE : new RequestWaitBound(threads));
    }

    /** Counts only request threads. */
    private record RequestWaitBound(WaitingThreads threads) implements WaitBound {

        @Override
        public boolean enter() {
            return !CurrentRequest.hasSource() || threads.enter();
        }

        @Override
        public void leave() {
            if (CurrentRequest.hasSource()) {
                threads.leave();
            }
        }
    }

    @Bean
    @ImportRuntimeHints(ProviderEncoders.Hints.class)
    static EncoderPostProcessor latchkeyEncoderPostProcessor(ConfigurableListableBeanFactory beans) {
        LoginEncoders encoders = new LoginEncoders(beans);
        return new EncoderPostProcessor(
                beans,
                encoders,
                ProviderEncoders.areThere(beans.getBeanClassLoader())
                        ? new ProviderEncoders(encoders, LaterUpgrades.in(beans))
                        : null);
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
