package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.account.LoginControl;
import dev.latchkey.auth.spring.account.LoginDevices;
import dev.latchkey.auth.spring.account.LoginListener;
import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.token.RevocationReasons;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sessions with refresh tokens, if {@code latchkey.login.refresh.enabled} is set. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("latchkey.login.refresh.enabled")
@ConditionalOnBean({JwtSigner.class, JwtVerifier.class})
final class RefreshConfiguration {

    /** In memory; a service of more logins has a store. */
    private static final int MOST_LOGINS = 100_000;

    @Bean
    @ConditionalOnMissingBean
    LoginStore latchkeyLoginStore(@Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new InMemoryLoginStore(MOST_LOGINS, clock);
    }

    @Bean
    @ConditionalOnMissingBean
    AccountLogins latchkeyAccountLogins(
            LoginStore store,
            RevocationStore revocations,
            LatchkeyProperties properties,
            ObjectProvider<LoginDevices> devices,
            ObjectProvider<LoginListener> listeners,
            ObjectProvider<RevocationReasons> reasons,
            OutageLog outages,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return AccountLogins.of(
                StoreTime.of(store, outages),
                StoreTime.of(revocations, outages),
                properties,
                devices.getIfAvailable(),
                reasons.getIfAvailable(),
                listeners.orderedStream().toList(),
                clock);
    }

    @Bean
    @ConditionalOnMissingBean
    LoginControl latchkeyLoginControl(
            AccountLogins logins,
            ObjectProvider<AuthChain> chains,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new LoginControl(logins, chains.stream().toList(), clock);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("latchkey.login.logins.enabled")
    OwnLogins latchkeyOwnLogins(AccessTokens tokens, AccountLogins logins) {
        return new OwnLogins(tokens::readByRule, logins);
    }

    @Bean
    @ConditionalOnMissingBean
    RefreshableLogins latchkeyRefreshableLogins(
            AuthChain plugins,
            LoginStore store,
            AccountLogins logins,
            AccessTokens tokens,
            LatchkeyProperties properties,
            OutageLog outages,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return RefreshableLogins.in(
                StoreTime.of(store, outages),
                logins,
                plugins,
                tokens,
                properties.login().refresh(),
                clock);
    }
}
