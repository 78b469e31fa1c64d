package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.password.PasswordUpgrade;
import dev.latchkey.auth.spring.password.LoginEncoders;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import reactor.core.publisher.Mono;

/** A WebFlux service's own accounts as the plugin {@code users}: its {@link ReactiveUserDetailsService} and its password encoder. */
@AutoConfiguration(
        before = LatchkeyAutoConfiguration.class,
        after = LatchkeyUsersAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration"
        })
@ConditionalOnClass({ReactiveUserDetailsService.class, Mono.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ConditionalOnSingleCandidate(ReactiveUserDetailsService.class)
@EnableConfigurationProperties(LatchkeyProperties.class)
public final class LatchkeyReactiveUsersAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    UserDetailsPlugin latchkeyReactiveUsersPlugin(
            ReactiveUserDetailsService users,
            ObjectProvider<PasswordEncoder> encoders,
            ObjectProvider<ReactiveUserDetailsPasswordService> upgrades,
            ObjectProvider<PasswordUpgrade> later,
            ObjectProvider<LoginEncoders> logins,
            LatchkeyProperties properties) {
        ReactiveUserDetailsPasswordService service = upgrades.getIfUnique();
        UserDetailsPlugin plugin = new UserDetailsPlugin(
                ReactiveUsers.of(users),
                LatchkeyUsersAutoConfiguration.encoder(encoders, logins, properties),
                service == null ? null : ReactiveUsers.upgrades(service));
        return LatchkeyUsersAutoConfiguration.upgrading(plugin, later, properties);
    }
}
