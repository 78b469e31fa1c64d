package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.JwtVerifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/**
 * Defines a decoder for a service that is no resource server by default, so that a chain of the service can be a
 * resource server. For every service with a decoder, defines the converter from token to authorities.
 *
 * <p>Runs after all auto-configurations of Boot with a condition on a decoder. Otherwise a service with a signing key
 * and the OAuth2 library would lose Boot's user, default chain and rule for the health endpoint.
 */
@AutoConfiguration(
        after = LatchkeyResourceServerAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.oauth2.resource.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.oauth2.resource.reactive.ReactiveOAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.reactive.ReactiveOAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.web.OAuth2ResourceServerWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.web.reactive.ReactiveOAuth2ResourceServerWebSecurityAutoConfiguration"
        })
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ConditionalOnBean(JwtVerifier.class)
@Conditional(LatchkeyResourceServerAutoConfiguration.OnNoOtherIssuer.class)
// In this order, because the converter needs a decoder.
@Import({
    JwtDecoderConfiguration.class,
    JwtConverterConfiguration.class,
    ReactiveJwtDecoderConfiguration.class,
    ReactiveJwtConverterConfiguration.class
})
public final class LatchkeyJwtDecoderAutoConfiguration {}
