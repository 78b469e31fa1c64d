package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/** The decoder on servlets, and for a service without web. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JwtDecoder.class)
@Conditional(LatchkeyResourceServerAutoConfiguration.OnNoWebFlux.class)
final class JwtDecoderConfiguration {

    @Bean
    @ConditionalOnMissingBean(JwtDecoder.class)
    LatchkeyJwtDecoder latchkeyLateJwtDecoder(
            JwtVerifier verifier,
            RevocationStore revocations,
            OutageLog outages,
            ObjectProvider<OAuth2TokenValidator<Jwt>> validators,
            ObjectProvider<TokenListener> listener) {
        return LatchkeyJwtDecoder.of(verifier, StoreTime.of(revocations, outages), validators, listener);
    }
}
