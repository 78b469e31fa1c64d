package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.account.LoginDevices;
import dev.latchkey.auth.spring.account.LoginListener;
import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.token.WatchedRevocations;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
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
    LoginStore latchkeyLoginStore(
            LatchkeyProperties properties, @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new InMemoryLoginStore(properties.login().refresh().maxLogins(), clock);
    }

    @Bean
    @ConditionalOnMissingBean
    AccountLogins latchkeyAccountLogins(
            LoginStore store,
            RevocationStore revocations,
            LatchkeyProperties properties,
            ObjectProvider<LoginDevices> devices,
            ObjectProvider<LoginListener> listeners,
            OutageLog outages,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return AccountLogins.of(
                new WatchedLogins(store, outages),
                new WatchedRevocations(revocations, outages),
                properties,
                devices.getIfAvailable(),
                listeners.orderedStream().toList(),
                clock);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("latchkey.login.logins.enabled")
    OwnLogins latchkeyOwnLogins(
            JwtVerifier verifier, RevocationStore revocations, AccountLogins logins, OutageLog outages) {
        return new OwnLogins(verifier, new WatchedRevocations(revocations, outages), logins);
    }

    @Bean
    @ConditionalOnMissingBean
    RefreshableLogins latchkeyRefreshableLogins(
            AuthChain plugins,
            LoginStore store,
            AccountLogins logins,
            RevocationStore revocations,
            JwtSigner signer,
            ObjectProvider<TokenClaims> claims,
            LatchkeyProperties properties,
            OutageLog outages,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new RefreshableLogins(
                plugins,
                new WatchedLogins(store, outages),
                logins,
                new WatchedRevocations(revocations, outages),
                new AccessTokens(signer, properties.jwt(), LatchkeyLoginAutoConfiguration.claimsOf(claims)),
                properties.login().refresh(),
                clock);
    }
}
