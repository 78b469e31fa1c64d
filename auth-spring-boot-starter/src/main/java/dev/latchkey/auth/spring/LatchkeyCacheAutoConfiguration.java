package dev.latchkey.auth.spring;

import dev.latchkey.auth.cache.CredentialCache;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The cache of verified credentials, in front of every password encoder that is a bean or that a provider has inside. */
@AutoConfiguration
@ConditionalOnClass(PasswordEncoder.class)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.cache.enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(LatchkeyProperties.class)
public final class LatchkeyCacheAutoConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    CredentialCache latchkeyCredentialCache(LatchkeyProperties properties) {
        return CredentialCache.with(properties.cache().settings());
    }

    @Bean
    static CachingEncoderPostProcessor latchkeyCachingEncoderPostProcessor(
            ConfigurableListableBeanFactory beans, ObjectProvider<CredentialCache> cache) {
        return new CachingEncoderPostProcessor(beans, cache);
    }

    /** Apart, since a service may have Spring Security's encoders without the rest of it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DaoAuthenticationProvider.class)
    @ImportRuntimeHints(CachingProviderRuntimeHints.class)
    static final class Providers {

        @Bean
        static CachingProviderPostProcessor latchkeyCachingProviderPostProcessor(
                ObjectProvider<CredentialCache> cache) {
            return new CachingProviderPostProcessor(cache);
        }
    }
}
