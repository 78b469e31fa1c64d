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
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import reactor.core.publisher.Mono;

/**
 * Makes a WebFlux service an OAuth2 resource server of Latchkey's tokens, where {@link LatchkeyResourceServerAutoConfiguration}
 * would make a servlet service one. Boot, which comes after, adds its own filter chain where the service has none.
 */
@AutoConfiguration(
        after = LatchkeyJwtAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.autoconfigure.security.oauth2.resource.reactive.ReactiveOAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.reactive.ReactiveOAuth2ResourceServerAutoConfiguration"
        })
@ConditionalOnClass({ReactiveJwtDecoder.class, BearerTokenAuthenticationToken.class, Mono.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.resource-server.enabled"},
        matchIfMissing = true)
@ConditionalOnBean({JwtVerifier.class, RevocationStore.class})
@Conditional({
    LatchkeyResourceServerAutoConfiguration.OnNoOtherIssuer.class,
    LatchkeyResourceServerAutoConfiguration.OnNoUserOfBoot.class
})
public final class LatchkeyReactiveResourceServerAutoConfiguration {

    public static final String DECODER = "latchkeyReactiveJwtDecoder";

    @Bean(DECODER)
    @ConditionalOnMissingBean(ReactiveJwtDecoder.class)
    LatchkeyReactiveJwtDecoder latchkeyReactiveJwtDecoder(
            JwtVerifier verifier,
            RevocationStore revocations,
            ObjectProvider<OAuth2TokenValidator<Jwt>> validators,
            ObjectProvider<TokenListener> listener) {
        return LatchkeyReactiveJwtDecoder.of(
                LatchkeyJwtDecoder.of(verifier, revocations, validators, listener), revocations);
    }
}
