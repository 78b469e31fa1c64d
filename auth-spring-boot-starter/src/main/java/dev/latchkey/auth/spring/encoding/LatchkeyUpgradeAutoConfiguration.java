package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.password.upgrade.StoredPasswords;
import dev.latchkey.auth.password.upgrade.UserDetailsStoredPasswords;
import dev.latchkey.auth.spring.password.ReactiveUsers;
import dev.latchkey.auth.spring.password.ReplacedHashes;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import reactor.core.publisher.Mono;

/**
 * Replaces outdated hashes after the answer, if the service has a store for replacements: a {@link StoredPasswords} bean, or
 * Spring Security's ports for reading accounts and for storing passwords. With both servlet and reactive accounts, the owner of a
 * hash would be unclear. The two ports are then no store, and Spring Security's own upgrade stays.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration"
        })
@ConditionalOnClass(PasswordEncoder.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(LatchkeyUpgradeAutoConfiguration.OnAStore.class)
public final class LatchkeyUpgradeAutoConfiguration {

    /** A service may have no store for replacements. */
    static final class OnAStore extends AnyNestedCondition {

        OnAStore() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(StoredPasswords.class)
        static final class OfHashes {}

        @ConditionalOnBean(type = "org.springframework.security.core.userdetails.UserDetailsPasswordService")
        static final class OfAccounts {}

        @ConditionalOnBean(type = "org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService")
        static final class OfReactiveAccounts {}
    }

    /** The service's encoder is for code with an injected upgrade. Logins name the encoder that matched. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    @ConditionalOnBean(StoredPasswords.class)
    PasswordUpgrade latchkeyPasswordUpgrade(
            StoredPasswords store, ObjectProvider<PasswordEncoder> encoders, ObjectProvider<LoginLimits> limits) {
        return PasswordUpgrade.of(
                encoders.getIfUnique(PasswordEncoderFactories::createDelegatingPasswordEncoder),
                new ReplacedHashes(store, limits));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(UserDetailsPasswordService.class)
    @ConditionalOnSingleCandidate(UserDetailsService.class)
    static final class Accounts {

        @Bean
        @ConditionalOnMissingBean({StoredPasswords.class, ReactiveUserDetailsService.class})
        @ConditionalOnSingleCandidate(UserDetailsPasswordService.class)
        StoredPasswords latchkeyStoredPasswords(UserDetailsService users, UserDetailsPasswordService passwords) {
            return new UserDetailsStoredPasswords(users, passwords);
        }

        @Bean
        @ConditionalOnMissingBean({UserDetailsPasswordService.class, ReactiveUserDetailsService.class})
        @ConditionalOnSingleCandidate(StoredPasswords.class)
        UserDetailsPasswordService latchkeyPasswordReplacement(StoredPasswords store) {
            return new StoredPasswordReplacement(store);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ReactiveUserDetailsPasswordService.class, Mono.class})
    @ConditionalOnSingleCandidate(ReactiveUserDetailsService.class)
    static final class ReactiveAccounts {

        @Bean
        @ConditionalOnMissingBean({StoredPasswords.class, UserDetailsService.class})
        @ConditionalOnSingleCandidate(ReactiveUserDetailsPasswordService.class)
        StoredPasswords latchkeyReactiveStoredPasswords(
                ReactiveUserDetailsService users, ReactiveUserDetailsPasswordService passwords) {
            return new UserDetailsStoredPasswords(ReactiveUsers.of(users), ReactiveUsers.upgrades(passwords));
        }
    }
}
