package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.guard.RequestThreads;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.account.LoginListener;
import dev.latchkey.auth.spring.account.LoginListeners;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.RevocationProperties;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.spring.token.RevocationReasons;
import dev.latchkey.auth.spring.token.TokenRule;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;

/** Login and logout, if {@code latchkey.login.enabled} is set. The endpoints have their own auto-configuration. */
@AutoConfiguration(after = {LatchkeyAutoConfiguration.class, LatchkeyJwtAutoConfiguration.class})
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ConditionalOnProperty("latchkey.login.enabled")
@Import(RefreshConfiguration.class)
public final class LatchkeyLoginAutoConfiguration {

    @Bean
    AccessTokens latchkeyAccessTokens(
            LatchkeyProperties properties,
            ObjectProvider<JwtSigner> signer,
            ObjectProvider<JwtVerifier> verifier,
            RevocationStore revocations,
            ObjectProvider<TokenCustomizer> customizers,
            ObjectProvider<TokenRule> rules,
            OutageLog outages) {
        return new AccessTokens(
                required(signer),
                required(verifier),
                StoreTime.of(revocations, outages),
                properties.jwt(),
                customizers.orderedStream().toList(),
                // Looked up at each use, because a validator of the resource server may need a bean that issues tokens.
                (token, jwt) -> rules.stream().allMatch(rule -> rule.accepts(token, jwt)));
    }

    @Bean
    @ConditionalOnMissingBean
    TokenLogin latchkeyTokenLogin(
            AuthChain plugins,
            AccessTokens tokens,
            ObjectProvider<RefreshableLogins> refreshable,
            Environment environment,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new TokenLogin(
                plugins,
                tokens,
                clock,
                RevokedSecond.of(RevokedSecond.waitingThreadsAmong(RequestThreads.of(environment::getProperty)), clock),
                refreshable.getIfAvailable());
    }

    @Bean
    @ConditionalOnClass(UsernamePasswordAuthenticationToken.class)
    @ConditionalOnMissingBean
    TokenIssuer latchkeyTokenIssuer(
            TokenLogin login, AuthChain plugins, @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new TokenIssuer(login, plugins, clock);
    }

    @Bean
    @ConditionalOnMissingBean
    StepUp latchkeyStepUp(
            AuthChain plugins, AccessTokens tokens, @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new StepUp(plugins, tokens, clock);
    }

    @Bean
    @ConditionalOnBean(ActingRule.class)
    @ConditionalOnMissingBean
    ActingTokens latchkeyActingTokens(
            AuthChain plugins,
            AccessTokens tokens,
            ActingRule rule,
            ObjectProvider<LoginListener> listeners,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new ActingTokens(
                plugins,
                tokens,
                rule,
                new LoginListeners(listeners.orderedStream().toList()),
                clock);
    }

    @Bean
    @ConditionalOnProperty("latchkey.login.introspection")
    @ConditionalOnMissingBean
    TokenInspection latchkeyTokenInspection(
            AuthChain plugins, AccessTokens tokens, ObjectProvider<RefreshableLogins> refreshable) {
        return new TokenInspection(plugins, tokens, refreshable.getIfAvailable());
    }

    @Bean
    @ConditionalOnMissingBean
    TokenRevocation latchkeyTokenRevocation(
            AuthChain plugins,
            AccessTokens tokens,
            ObjectProvider<RefreshableLogins> refreshable,
            LatchkeyProperties properties) {
        return new TokenRevocation(plugins, tokens, refreshable.getIfAvailable(), properties.longestLifetime());
    }

    private static <T> T required(ObjectProvider<T> bean) {
        T available = bean.getIfAvailable();
        if (available == null) {
            throw new LatchkeyConfigurationException(
                    "latchkey.login.enabled is true, and there is no key to sign tokens with",
                    "Set latchkey.jwt.secret to file: and the path of a file that holds at least 32 random bytes in Base64, "
                            + "or define an HmacKey bean.");
        }
        return available;
    }

    /** The reasons sent to the bearer of a revoked token, if the service wants reasons. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("latchkey.revocation.tell-reasons")
    @EnableConfigurationProperties(RevocationProperties.class)
    static final class Reasons {

        @Bean
        @ConditionalOnMissingBean
        RevocationReasons latchkeyRevocationReasons(
                ObjectProvider<JwtVerifier> verifier,
                RevocationStore revocations,
                OutageLog outages,
                @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
            return new RevocationReasons(required(verifier), StoreTime.of(revocations, outages), clock);
        }
    }
}
