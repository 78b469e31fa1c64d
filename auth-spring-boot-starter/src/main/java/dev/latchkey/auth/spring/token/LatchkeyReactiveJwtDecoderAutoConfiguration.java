package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.jwt.JwtVerifier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import reactor.core.publisher.Mono;

/**
 * The decoder for a WebFlux service that is no resource server by default, so that a chain of its own can be one: after all
 * that Boot decides by the presence of a decoder, as {@link LatchkeyJwtDecoderAutoConfiguration}.
 */
@AutoConfiguration(
        after = LatchkeyReactiveResourceServerAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.oauth2.resource.reactive.ReactiveOAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.reactive.ReactiveOAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.web.reactive.ReactiveOAuth2ResourceServerWebSecurityAutoConfiguration"
        })
@ConditionalOnClass({ReactiveJwtDecoder.class, Mono.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.resource-server.enabled"},
        matchIfMissing = true)
@ConditionalOnBean({JwtVerifier.class, RevocationStore.class})
@Conditional(LatchkeyResourceServerAutoConfiguration.OnNoOtherIssuer.class)
public final class LatchkeyReactiveJwtDecoderAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(ReactiveJwtDecoder.class)
    LatchkeyReactiveJwtDecoder latchkeyLateReactiveJwtDecoder(
            JwtVerifier verifier,
            RevocationStore revocations,
            ObjectProvider<OAuth2TokenValidator<Jwt>> validators,
            ObjectProvider<TokenListener> listener) {
        return LatchkeyReactiveJwtDecoder.of(
                LatchkeyJwtDecoder.of(verifier, revocations, validators, listener), revocations);
    }
}
