package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.password.CompromisedPasswordChecker;
import org.springframework.security.config.annotation.authentication.configuration.GlobalAuthenticationConfigurerAdapter;

/** HTTP Basic and forms of a servlet service ask the plugins, too. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(GlobalAuthenticationConfigurerAdapter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
final class PluginManagerConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LatchkeyPasswords latchkeyPasswords(
            AuthChain plugins, LatchkeyProperties properties, ObjectProvider<CompromisedPasswordChecker> compromised) {
        return new LatchkeyPasswords(plugins, RequestContexts.of(properties), compromised.getIfUnique());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "latchkey.authentication-manager.enabled", matchIfMissing = true)
    static PluginManagerConfigurer latchkeyPluginManagerConfigurer(
            ConfigurableListableBeanFactory beans, ObjectProvider<LatchkeyPasswords> passwords) {
        return new PluginManagerConfigurer(beans, passwords);
    }
}
