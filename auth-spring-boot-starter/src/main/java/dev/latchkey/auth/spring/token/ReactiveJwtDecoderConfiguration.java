package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import reactor.core.publisher.Mono;

/** The decoder on WebFlux. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ReactiveJwtDecoder.class, Mono.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
final class ReactiveJwtDecoderConfiguration {

    @Bean
    @ConditionalOnMissingBean(ReactiveJwtDecoder.class)
    LatchkeyReactiveJwtDecoder latchkeyLateReactiveJwtDecoder(
            JwtVerifier verifier,
            RevocationStore revocations,
            OutageLog outages,
            ObjectProvider<OAuth2TokenValidator<Jwt>> validators,
            ObjectProvider<TokenListener> listener) {
        return LatchkeyReactiveJwtDecoder.of(
                LatchkeyJwtDecoder.of(verifier, StoreTime.of(revocations, outages), validators, listener), revocations);
    }
}
