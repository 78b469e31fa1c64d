package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.RequestThreads;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.spring.token.WatchedRevocations;
import dev.latchkey.auth.store.RevocationStore;
import java.time.InstantSource;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Logging in for a token and out again, where {@code latchkey.login.enabled} asks for it; the endpoints come on top. */
@AutoConfiguration(after = {LatchkeyAutoConfiguration.class, LatchkeyJwtAutoConfiguration.class})
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ConditionalOnProperty("latchkey.login.enabled")
@Import(RefreshConfiguration.class)
public final class LatchkeyLoginAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    TokenLogin latchkeyTokenLogin(
            LatchkeyProperties properties,
            AuthChain plugins,
            ObjectProvider<JwtSigner> signer,
            ObjectProvider<TokenClaims> claims,
            ObjectProvider<RevocationStore> revocations,
            ObjectProvider<RefreshableLogins> refreshable,
            OutageLog outages,
            Environment environment,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new TokenLogin(
                plugins,
                new AccessTokens(required(signer), properties.jwt(), claimsOf(claims)),
                new WatchedRevocations(required(revocations), outages),
                clock,
                RevokedSecond.of(RevokedSecond.placesAmong(RequestThreads.of(environment)), clock),
                refreshable.getIfAvailable());
    }

    @Bean
    @ConditionalOnMissingBean
    TokenRevocation latchkeyTokenRevocation(
            AuthChain plugins,
            ObjectProvider<JwtVerifier> verifier,
            ObjectProvider<RevocationStore> revocations,
            ObjectProvider<RefreshableLogins> refreshable,
            OutageLog outages) {
        return new TokenRevocation(
                plugins,
                required(verifier),
                new WatchedRevocations(required(revocations), outages),
                refreshable.getIfAvailable());
    }

    /** The claims of the service's bean; none where it has no such bean. */
    static TokenClaims claimsOf(ObjectProvider<TokenClaims> bean) {
        return bean.getIfAvailable(() -> subject -> Map.of());
    }

    private static <T> T required(ObjectProvider<T> bean) {
        T available = bean.getIfAvailable();
        if (available == null) {
            throw new LatchkeyConfigurationException(
                    "latchkey.login.enabled is true, and there is no key to sign tokens with",
                    "Set latchkey.jwt.secret-file to a file that holds at least 32 random bytes in Base64, "
                            + "or define an HmacKey bean.");
        }
        return available;
    }
}
