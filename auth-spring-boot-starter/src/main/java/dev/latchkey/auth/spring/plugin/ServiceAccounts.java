package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.password.upgrade.StoredPasswords;
import dev.latchkey.auth.spring.password.LoginEncoder;
import dev.latchkey.auth.spring.password.LoginEncoders;
import dev.latchkey.auth.spring.password.ReplacedHashes;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The service's own accounts as the plugin {@code users}: its {@link UserDetailsService} and its password encoder. */
final class ServiceAccounts {

    private ServiceAccounts() {}

    static UserDetailsPlugin plugin(BeanFactory beans, LatchkeyProperties properties) {
        UserDetailsPlugin plugin = new UserDetailsPlugin(
                        beans.getBean(UserDetailsService.class),
                        encoder(beans, properties),
                        beans.getBeanProvider(UserDetailsPasswordService.class).getIfUnique())
                .ending(RememberedLogins.ending(beans));
        return upgrading(plugin, beans, properties);
    }

    /** Upgrades after the login, if there are no refresh tokens; with refresh tokens, within the login. */
    static UserDetailsPlugin upgrading(UserDetailsPlugin plugin, BeanFactory beans, LatchkeyProperties properties) {
        PasswordUpgrade upgrade = beans.getBeanProvider(PasswordUpgrade.class).getIfAvailable();
        if (upgrade == null) {
            return plugin;
        }
        if (!properties.login().refresh().enabled()) {
            return plugin.upgradingBy(upgrade);
        }
        StoredPasswords store = beans.getBeanProvider(StoredPasswords.class).getIfUnique();
        return store == null
                ? plugin
                : plugin.upgradingIn(new ReplacedHashes(store, beans.getBeanProvider(LoginLimits.class)));
    }

    /** The service's encoder, or Spring Security's default if there is no encoder or no unique encoder. */
    static LoginEncoder encoder(BeanFactory beans, LatchkeyProperties properties) {
        ObjectProvider<PasswordEncoder> encoders = beans.getBeanProvider(PasswordEncoder.class);
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
