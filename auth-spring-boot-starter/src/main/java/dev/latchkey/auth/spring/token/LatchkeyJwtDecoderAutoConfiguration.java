package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.jwt.JwtVerifier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/**
 * The decoder for a service that is no resource server by default, so that a chain of its own can be one.
 *
 * <p>After all that Boot decides by the presence of a decoder: its user, its default chain and its rule for the health endpoint
 * would else vanish from a service that has a signing key and happens to have the library.
 */
@AutoConfiguration(
        after = LatchkeyResourceServerAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.oauth2.resource.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.web.OAuth2ResourceServerWebSecurityAutoConfiguration"
        })
@ConditionalOnClass(JwtDecoder.class)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.resource-server.enabled"},
        matchIfMissing = true)
@ConditionalOnBean({JwtVerifier.class, RevocationStore.class})
@Conditional({
    LatchkeyResourceServerAutoConfiguration.OnNoOtherIssuer.class,
    LatchkeyResourceServerAutoConfiguration.OnNoWebFlux.class
})
public final class LatchkeyJwtDecoderAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(JwtDecoder.class)
    LatchkeyJwtDecoder latchkeyLateJwtDecoder(
            JwtVerifier verifier,
            RevocationStore revocations,
            ObjectProvider<OAuth2TokenValidator<Jwt>> validators,
            ObjectProvider<TokenListener> listener) {
        return LatchkeyJwtDecoder.of(verifier, revocations, validators, listener);
    }
}
