package dev.latchkey.auth.spring.plugin;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.config.annotation.authentication.builders.AuthenticationManagerBuilder;
import org.springframework.security.config.annotation.authentication.configuration.GlobalAuthenticationConfigurerAdapter;
import org.springframework.security.core.userdetails.UserDetailsService;

/**
 * Gives Spring Security's global manager the plugins, where it would take the service's accounts alone and there are others to ask.
 *
 * <p>Comes just before Spring Security looks for a provider bean and for accounts, and as those is only considered where the service
 * has not configured the manager by then. A service with a provider or a manager bean keeps what it has, and so does one whose
 * accounts no plugin would decide: nobody may be locked out by a plugin that is added.
 */
@Order(PluginManagerConfigurer.BEFORE_PROVIDER_BEANS)
final class PluginManagerConfigurer extends GlobalAuthenticationConfigurerAdapter {

    /** Spring Security looks for a provider bean at 5,100 from the end, and for accounts at 5,000. */
    static final int BEFORE_PROVIDER_BEANS = Ordered.LOWEST_PRECEDENCE - 5_200;

    /**
     * Spring Security's logger that calls a configured manager a mistake where there are accounts, and asks to remove a provider bean that is not there.
     * It says itself how to be silenced where the manager is meant.
     */
    static final String WARNS_OF_PROVIDERS =
            "org.springframework.security.config.annotation.authentication.configuration."
                    + "InitializeUserDetailsBeanManagerConfigurer$InitializeUserDetailsManagerConfigurer";

    private static final Logger LOG = LoggerFactory.getLogger(PluginManagerConfigurer.class);

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<LatchkeyPasswords> passwords;

    PluginManagerConfigurer(ConfigurableListableBeanFactory beans, ObjectProvider<LatchkeyPasswords> passwords) {
        this.beans = beans;
        this.passwords = passwords;
    }

    @Override
    public void init(AuthenticationManagerBuilder manager) throws Exception {
        manager.apply(new Late());
    }

    private boolean hasItsOwn() {
        return has(AuthenticationProvider.class) || has(AuthenticationManager.class);
    }

    private boolean has(Class<?> type) {
        return beans.getBeanNamesForType(type, true, false).length > 0;
    }

    /** Configured when everything that the service has applied to the builder is. */
    private final class Late extends GlobalAuthenticationConfigurerAdapter {

        @Override
        public void configure(AuthenticationManagerBuilder manager) {
            LatchkeyPasswords asked = passwords.getObject();
            List<String> others = asked.besideUsers();
            if (others.isEmpty() || manager.isConfigured()) {
                return;
            }
            if (!asked.hasUsers() && LatchkeyPasswords.hasAccounts(beans, UserDetailsService.class)) {
                say(
                        "HTTP Basic and forms ask the service's accounts and not the auth plugins {}, since latchkey.plugins does"
                                + " not name users; to have both asked, add users to it",
                        asked.decidingBesideUsers());
                return;
            }
            if (hasItsOwn()) {
                say(
                        "HTTP Basic and forms do not ask the auth plugins {}, since the service has an AuthenticationProvider"
                                + " or AuthenticationManager bean; to have them asked, inject LatchkeyPasswords and write"
                                + " http.authenticationProvider(passwords.provider())",
                        asked.decidingBesideUsers());
                return;
            }
            manager.authenticationProvider(asked.provider());
            beans.getBeanProvider(LoggingSystem.class)
                    .ifAvailable(logging -> logging.setLogLevel(WARNS_OF_PROVIDERS, LogLevel.ERROR));
            LOG.info("HTTP Basic and forms ask the auth plugins {} as well", others);
        }

        /** Not where there are only such as want a second step, which is asked for in any case. */
        private void say(String message, List<String> notAsked) {
            if (!notAsked.isEmpty()) {
                LOG.info(message, notAsked);
            }
        }
    }
}
