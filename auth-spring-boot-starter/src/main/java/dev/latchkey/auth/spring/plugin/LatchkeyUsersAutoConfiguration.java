package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.password.upgrade.StoredPasswords;
import dev.latchkey.auth.spring.password.LoginEncoder;
import dev.latchkey.auth.spring.password.LoginEncoders;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.SettingsConfiguration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The service's own accounts as the plugin {@code users}: its {@link UserDetailsService} and its password encoder. Runs after Boot's
 * own user.
 */
@AutoConfiguration(
        before = LatchkeyAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration"
        })
@ConditionalOnClass(UserDetailsService.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Import({SettingsConfiguration.class, ReactiveUsersConfiguration.class})
public final class LatchkeyUsersAutoConfiguration {

    @Bean
    @ConditionalOnSingleCandidate(UserDetailsService.class)
    @ConditionalOnMissingBean
    @Order(UserDetailsPlugin.ORDER)
    UserDetailsPlugin latchkeyUsersPlugin(
            UserDetailsService users,
            ObjectProvider<PasswordEncoder> encoders,
            ObjectProvider<UserDetailsPasswordService> upgrades,
            ObjectProvider<PasswordUpgrade> later,
            ObjectProvider<StoredPasswords> hashes,
            LatchkeyProperties properties,
            BeanFactory beans) {
        UserDetailsPlugin plugin = new UserDetailsPlugin(
                        users, encoder(encoders, beans, properties), upgrades.getIfUnique())
                .ending(RememberedLogins.ending(beans));
        return upgrading(plugin, later, hashes, properties);
    }

    /** Upgrades after the login, if there are no refresh tokens; with refresh tokens, within the login. */
    static UserDetailsPlugin upgrading(
            UserDetailsPlugin plugin,
            ObjectProvider<PasswordUpgrade> later,
            ObjectProvider<StoredPasswords> hashes,
            LatchkeyProperties properties) {
        PasswordUpgrade upgrade = later.getIfAvailable();
        if (upgrade == null) {
            return plugin;
        }
        if (!properties.login().refresh().enabled()) {
            return plugin.upgradingBy(upgrade);
        }
        StoredPasswords store = hashes.getIfUnique();
        return store == null ? plugin : plugin.upgradingIn(store);
    }

    /** The service's encoder, or Spring Security's default if there is no encoder or no unique encoder. */
    static LoginEncoder encoder(
            ObjectProvider<PasswordEncoder> encoders,
            BeanFactory beans,
            LatchkeyProperties properties) {
        PasswordEncoder encoder = encoders.getIfUnique(() -> {
            requireNoChoice(encoders.stream().count(), properties);
            return PasswordEncoderFactories.createDelegatingPasswordEncoder();
        });
        return LoginEncoders.around(encoder, beans);
    }

    /** With HTTP Basic alone, Spring Security decides as before. Here the service relies on this plugin's choice. */
    private static void requireNoChoice(long encoders, LatchkeyProperties properties) {
        boolean relied = properties.login().enabled()
                || (properties.plugins() != null && properties.plugins().contains("users"));
        if (encoders > 1 && relied) {
            throw new LatchkeyConfigurationException(
                    "There are " + encoders + " PasswordEncoder beans, and none of them is primary: the plugin 'users'"
                            + " cannot tell which one the stored hashes were made with",
                    "Mark one of them with @Primary, or define one DelegatingPasswordEncoder that has both.");
        }
    }
}
