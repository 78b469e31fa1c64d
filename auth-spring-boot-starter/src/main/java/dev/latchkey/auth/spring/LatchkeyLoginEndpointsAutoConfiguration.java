package dev.latchkey.auth.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;

/** Login, logout, revocation and refresh over the servlet API; {@link LatchkeyHttpConfigurer} puts them in place. */
@AutoConfiguration(after = {LatchkeyLoginAutoConfiguration.class, LatchkeyRefreshAutoConfiguration.class})
@ConditionalOnClass(HttpSecurity.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(TokenLogin.class)
public final class LatchkeyLoginEndpointsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LoginEndpoint latchkeyLoginEndpoint(LatchkeyProperties properties, TokenLogin login) {
        return new LoginEndpoint(properties.login(), login);
    }

    @Bean
    @ConditionalOnMissingBean
    LogoutEndpoint latchkeyLogoutEndpoint(LatchkeyProperties properties, TokenRevocation revocation) {
        return new LogoutEndpoint(properties.login().logoutPath(), revocation);
    }

    @Bean
    @ConditionalOnMissingBean
    RevokeEndpoint latchkeyRevokeEndpoint(LatchkeyProperties properties, TokenRevocation revocation) {
        return new RevokeEndpoint(properties.login(), revocation);
    }

    @Bean
    @ConditionalOnBean(RefreshableLogins.class)
    @ConditionalOnMissingBean
    RefreshEndpoint latchkeyRefreshEndpoint(LatchkeyProperties properties, RefreshableLogins logins) {
        return new RefreshEndpoint(properties.login(), logins);
    }
}
