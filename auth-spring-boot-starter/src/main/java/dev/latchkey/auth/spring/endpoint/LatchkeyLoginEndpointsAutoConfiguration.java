package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.login.LatchkeyLoginAutoConfiguration;
import dev.latchkey.auth.spring.login.RefreshableLogins;
import dev.latchkey.auth.spring.login.RegisteredClient;
import dev.latchkey.auth.spring.login.TokenInspection;
import dev.latchkey.auth.spring.login.TokenIssuer;
import dev.latchkey.auth.spring.login.TokenLogin;
import dev.latchkey.auth.spring.login.TokenRevocation;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Login, logout, revocation, refresh and the list of logins over HTTP; {@code LatchkeyHttpConfigurer} puts them in place on servlets, and
 * {@code LatchkeyWebFlux} on WebFlux.
 */
@AutoConfiguration(after = LatchkeyLoginAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBean(TokenLogin.class)
public final class LatchkeyLoginEndpointsAutoConfiguration {

    /** @throws LatchkeyConfigurationException if two clients have the same id, or nobody may ask the introspection endpoint */
    @Bean
    OAuthClients latchkeyOAuthClients(LatchkeyProperties properties, ObjectProvider<RegisteredClient> beans) {
        OAuthClients clients = new OAuthClients(
                properties.login().clients(), beans.orderedStream().toList());
        if (properties.login().introspection() && clients.isEmpty()) {
            throw new LatchkeyConfigurationException(
                    "latchkey.login.introspection is true, and no client is registered",
                    "Register the asking service: set latchkey.login.clients.<id>.secret, or define a RegisteredClient bean.");
        }
        return clients;
    }

    @Bean
    TokenEndpoint latchkeyTokenEndpoint(
            LatchkeyProperties properties,
            OAuthClients clients,
            TokenLogin login,
            ObjectProvider<RefreshableLogins> refreshable) {
        return new TokenEndpoint(properties.login(), clients, login, refreshable.getIfAvailable());
    }

    @Bean
    @ConditionalOnMissingBean
    LoginAnswers latchkeyLoginAnswers(ObjectProvider<TokenIssuer> tokens, LatchkeyProperties properties) {
        return new LoginAnswers(tokens, properties.login().refresh().idleLifetime());
    }

    @Bean
    @Conditional(OnSecondPath.class)
    TokenEndpoint latchkeyLoginEndpoint(TokenEndpoint latchkeyTokenEndpoint) {
        return latchkeyTokenEndpoint.atSecondPath();
    }

    @Bean
    LogoutEndpoint latchkeyLogoutEndpoint(
            LatchkeyProperties properties, TokenRevocation revocation, AuthChain plugins) {
        return new LogoutEndpoint(properties.login(), TokenHeader.of(properties), revocation, plugins);
    }

    @Bean
    RevokeEndpoint latchkeyRevokeEndpoint(
            LatchkeyProperties properties, OAuthClients clients, TokenRevocation revocation) {
        return new RevokeEndpoint(properties.login(), clients, revocation);
    }

    @Bean
    @ConditionalOnBean(TokenInspection.class)
    IntrospectEndpoint latchkeyIntrospectEndpoint(
            LatchkeyProperties properties, OAuthClients clients, TokenInspection inspection) {
        return new IntrospectEndpoint(properties.login(), clients, inspection);
    }

    @Bean
    @Conditional(MetadataEndpoint.OnIssuerAddress.class)
    MetadataEndpoint latchkeyMetadataEndpoint(
            LatchkeyProperties properties, OAuthClients clients, @Value("${latchkey.jwt.issuer}") String issuer) {
        return new MetadataEndpoint(properties.login(), clients, issuer);
    }

    /** Clients with a path of their own. */
    static final class OnSecondPath extends AnyNestedCondition {

        OnSecondPath() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("latchkey.login.path")
        static final class OnPath {}

        @ConditionalOnProperty(name = "latchkey.login.response", havingValue = "nacos")
        static final class OnNacos {}
    }

    /** The list of one's own logins. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(OwnLogins.class)
    static final class Logins {

        @Bean
        OwnLoginsEndpoint latchkeyLoginListEndpoint(
                LatchkeyProperties properties, OwnLogins logins, AuthChain plugins) {
            return OwnLoginsEndpoint.ofList(properties, logins, plugins);
        }

        @Bean
        OwnLoginsEndpoint latchkeyLoginEndEndpoint(LatchkeyProperties properties, OwnLogins logins, AuthChain plugins) {
            return OwnLoginsEndpoint.ofEnd(properties, logins, plugins);
        }
    }
}
