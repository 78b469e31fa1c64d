package dev.latchkey.auth.spring;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The service's own accounts as a plugin, named {@code users}: its {@link UserDetailsService} and its password encoder. */
@AutoConfiguration(
        before = LatchkeyAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration"
        })
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ConditionalOnSingleCandidate(UserDetailsService.class)
public final class LatchkeyUsersAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    UserDetailsPlugin latchkeyUsersPlugin(
            UserDetailsService users,
            ObjectProvider<PasswordEncoder> encoders,
            ObjectProvider<UserDetailsPasswordService> upgrades,
            ObjectProvider<CredentialCache> cache) {
        PasswordEncoder encoder = encoders.getIfUnique(() -> delegatingEncoder(cache.getIfAvailable()));
        return new UserDetailsPlugin(users, new GuardedEncoder(encoder), upgrades.getIfUnique());
    }

    /** What Spring Security uses where the service has no encoder, or cannot say which; no bean, so cached here. */
    private static PasswordEncoder delegatingEncoder(@Nullable CredentialCache cache) {
        PasswordEncoder encoder = PasswordEncoderFactories.createDelegatingPasswordEncoder();
        return cache == null ? encoder : CachingPasswordEncoder.around(encoder, cache);
    }
}
