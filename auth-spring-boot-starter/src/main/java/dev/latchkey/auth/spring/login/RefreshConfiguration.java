package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.InMemoryLoginStore;
import dev.latchkey.auth.LoginStore;
import dev.latchkey.auth.OutageLog;
import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.token.WatchedRevocations;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Logins that refresh tokens prolong, where {@code latchkey.login.refresh.enabled} asks for them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("latchkey.login.refresh.enabled")
@ConditionalOnBean({JwtSigner.class, RevocationStore.class})
final class RefreshConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LoginStore latchkeyLoginStore(LatchkeyProperties properties) {
        return new InMemoryLoginStore(properties.login().refresh().maxLogins());
    }

    @Bean
    @ConditionalOnMissingBean
    RefreshableLogins latchkeyRefreshableLogins(
            AuthChain plugins,
            LoginStore store,
            RevocationStore revocations,
            JwtSigner signer,
            ObjectProvider<TokenClaims> claims,
            LatchkeyProperties properties,
            OutageLog outages) {
        return new RefreshableLogins(
                plugins,
                new WatchedLogins(store, outages),
                new WatchedRevocations(revocations, outages),
                new AccessTokens(signer, properties.jwt(), LatchkeyLoginAutoConfiguration.claimsOf(claims)),
                properties.login().refresh(),
                InstantSource.system());
    }
}
