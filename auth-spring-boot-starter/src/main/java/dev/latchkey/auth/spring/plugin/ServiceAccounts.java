package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.password.upgrade.StoredPasswords;
import dev.latchkey.auth.spring.password.LoginEncoder;
import dev.latchkey.auth.spring.password.LoginEncoders;
import dev.latchkey.auth.spring.settings.BeanTypes;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.password.CompromisedPasswordChecker;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The service's own accounts: detects the accounts, and makes the plugin {@code users} from the service's {@link
 * UserDetailsService} and password encoder.
 */
final class ServiceAccounts {

    private ServiceAccounts() {}

    static UserDetailsPlugin plugin(BeanFactory beans, LatchkeyProperties properties) {
        UserDetailsPlugin plugin = new UserDetailsPlugin(
                        beans.getBean(UserDetailsService.class),
                        encoder(beans, properties),
                        beans.getBeanProvider(UserDetailsPasswordService.class).getIfUnique())
                .ending(RememberedLogins.ending(beans))
                .rejecting(compromised(
                        beans.getBeanProvider(CompromisedPasswordChecker.class).getIfUnique()));
        return upgrading(plugin, beans, properties);
    }

    private static Predicate<CharSequence> compromised(@Nullable CompromisedPasswordChecker checker) {
        return password -> checker != null && checker.check(password.toString()).isCompromised();
    }

    /** Replaces outdated hashes: without refresh tokens after the login, with refresh tokens within the login. */
    static UserDetailsPlugin upgrading(UserDetailsPlugin plugin, BeanFactory beans, LatchkeyProperties properties) {
        PasswordUpgrade upgrade = beans.getBeanProvider(PasswordUpgrade.class).getIfAvailable();
        if (upgrade == null) {
            return plugin;
        }
        if (!properties.login().refresh().enabled()) {
            return plugin.upgradingBy(upgrade);
        }
        StoredPasswords store = beans.getBeanProvider(StoredPasswords.class).getIfUnique();
        return store == null ? plugin : plugin.upgradingIn(store);
    }

    /** Whether a service has its own accounts, or its own authentication providers or managers. */
    static boolean hasLogins(ConfigurableListableBeanFactory beans) {
        return hasAccounts(
                beans,
                UserDetailsService.class,
                ReactiveUserDetailsService.class,
                AuthenticationProvider.class,
                AuthenticationManager.class,
                ReactiveAuthenticationManager.class);
    }

    /**
     * Whether a service has its own accounts. Boot's default user has a random password, and counts
     * only if a property sets the name or the password.
     *
     * @param types of the beans with accounts
     */
    static boolean hasAccounts(ConfigurableListableBeanFactory beans, Class<?>... types) {
        Environment environment = beans.getBean(Environment.class);
        boolean isUserNamed = environment.containsProperty("spring.security.user.name")
                || environment.containsProperty("spring.security.user.password");
        return Arrays.stream(types)
                .flatMap(type -> Arrays.stream(beans.getBeanNamesForType(type, true, false)))
                .anyMatch(name ->
                        isUserNamed || !BeanTypes.definingClass(beans, name).startsWith(BeanTypes.BOOT));
    }

    /**
     * The service's encoder, or Spring Security's default if there is no encoder or no unique encoder.
     *
     * @throws LatchkeyConfigurationException if there are several encoders, and the service relies on the plugin {@code users}
     */
    static LoginEncoder encoder(BeanFactory beans, LatchkeyProperties properties) {
        ObjectProvider<PasswordEncoder> encoders = beans.getBeanProvider(PasswordEncoder.class);
        PasswordEncoder encoder = encoders.getIfUnique(() -> {
            requireNoChoice(encoders.stream().count(), properties);
            return PasswordEncoderFactories.createDelegatingPasswordEncoder();
        });
        return LoginEncoders.around(encoder, beans);
    }

    /** A service with login endpoints, or with {@code users} in its plugins, relies on the plugin's choice of an encoder. */
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
