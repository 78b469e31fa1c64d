package dev.latchkey.auth.spring.plugin;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.config.annotation.authentication.builders.AuthenticationManagerBuilder;
import org.springframework.security.config.annotation.authentication.configuration.GlobalAuthenticationConfigurerAdapter;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.stereotype.Component;

/**
 * Adds the plugins to Spring Security's global manager, if the manager would otherwise ask only the service's accounts and there
 * are other plugins for passwords.
 *
 * <p>Runs just before Spring Security looks for a provider bean and for accounts, and like Spring Security, only if the service
 * has not configured the manager yet. A service with a provider bean or a manager bean is unchanged. So is a service with
 * accounts outside all plugins: an added plugin must not lock accounts out.
 */
@Component("latchkeyPluginManagerConfigurer")
@ConditionalOnClass(GlobalAuthenticationConfigurerAdapter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "latchkey.authentication-manager.enabled", matchIfMissing = true)
@Order(PluginManagerConfigurer.BEFORE_PROVIDER_BEANS)
final class PluginManagerConfigurer extends GlobalAuthenticationConfigurerAdapter {

    /** Spring Security looks for a provider bean at 5,100 from the end, and for accounts at 5,000. */
    static final int BEFORE_PROVIDER_BEANS = Ordered.LOWEST_PRECEDENCE - 5_200;

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

    private boolean has(Class<?> type) {
        return beans.getBeanNamesForType(type, true, false).length > 0;
    }

    /** Runs after all configuration by the service. */
    private final class Late extends GlobalAuthenticationConfigurerAdapter {

        @Override
        public void configure(AuthenticationManagerBuilder manager) {
            LatchkeyPasswords asked = passwords.getObject();
            PasswordPlugins plugins = new PasswordPlugins(asked.plugins());
            boolean hasUsers = plugins.haveUsers();
            List<String> others = plugins.askedBesideUsers();
            List<String> sources = plugins.sourcesBesideUsers();
            if (others.isEmpty() || manager.isConfigured()) {
                return;
            }
            if (!hasUsers && ServiceAccounts.hasAccounts(beans, UserDetailsService.class)) {
                say(
                        "HTTP Basic and forms ask the service's accounts and not the auth plugins {}, since latchkey.plugins does"
                                + " not name users; to have both asked, add users to it",
                        sources);
                return;
            }
            if (has(AuthenticationProvider.class) || has(AuthenticationManager.class)) {
                say(
                        "HTTP Basic and forms do not ask the auth plugins {}, since the service has an AuthenticationProvider"
                                + " or AuthenticationManager bean; to have them asked, inject LatchkeyPasswords and write"
                                + " http.authenticationProvider(passwords.provider())",
                        sources);
                return;
            }
            manager.authenticationProvider(asked.provider());
            // Spring Security warns about unused accounts if the manager is already configured. Without this
            // configuration,
            // Spring Security would add its own provider, with a second comparison of each password.
            LOG.info(
                    hasUsers
                            ? "HTTP Basic and forms ask the auth plugins {} and, by the plugin users, the service's accounts,"
                                    + " whatever Spring Security warns of next"
                            : "HTTP Basic and forms ask the auth plugins {}",
                    others);
        }

        /** Silent if the plugins are only steps, because steps are asked in any case. */
        private void say(String message, List<String> notAsked) {
            if (!notAsked.isEmpty()) {
                LOG.info(message, notAsked);
            }
        }
    }
}
