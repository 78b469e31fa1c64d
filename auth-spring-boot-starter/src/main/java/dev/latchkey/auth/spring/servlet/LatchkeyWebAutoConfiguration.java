package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.plugin.OnSomethingToAdd;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.context.WebApplicationContext;

/**
 * Tokens, plugins and login in Boot's default filter chain, if the service has no chain and Latchkey has a part to add; the
 * logins of chains with {@link LatchkeyHttpConfigurer#latchkey()}.
 */
@AutoConfiguration(after = LatchkeyJwtAutoConfiguration.class)
@ConditionalOnClass(HttpSecurity.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
public final class LatchkeyWebAutoConfiguration {

    @Bean
    @ConditionalOnProperty("latchkey.login.enabled")
    @ConditionalOnMissingBean
    LoginWithoutAChain latchkeyLoginWithoutAChain(
            ObjectProvider<SecurityFilterChain> chains, LatchkeyProperties properties, WebApplicationContext service) {
        return new LoginWithoutAChain(chains, properties.login(), service.getServletContext());
    }

    @Bean
    static ChainLogins latchkeyChainLogins() {
        return new ChainLogins();
    }

    @Bean
    @Conditional(OnSomethingToAdd.class)
    static BootChainPostProcessor latchkeyBootChainPostProcessor(ConfigurableListableBeanFactory beans) {
        return new BootChainPostProcessor(beans);
    }
}
