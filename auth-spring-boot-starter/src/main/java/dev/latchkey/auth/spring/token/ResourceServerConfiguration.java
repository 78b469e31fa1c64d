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
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/**
 * Makes a service an OAuth2 resource server for Latchkey's tokens. Conditions: Spring's resource server, a signing key, no other
 * issuer and no configured user of Boot. Afterwards Boot adds its own filter chain if the service has none.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({JwtDecoder.class, BearerTokenAuthenticationToken.class})
@Conditional({
    LatchkeyResourceServerAutoConfiguration.OnNoUserOfBoot.class,
    LatchkeyResourceServerAutoConfiguration.OnNoWebFlux.class
})
final class ResourceServerConfiguration {

    @Bean(LatchkeyResourceServerAutoConfiguration.DECODER)
    @ConditionalOnMissingBean(JwtDecoder.class)
    LatchkeyJwtDecoder latchkeyJwtDecoder(
            JwtVerifier verifier,
            RevocationStore revocations,
            OutageLog outages,
            ObjectProvider<OAuth2TokenValidator<Jwt>> validators,
            ObjectProvider<TokenListener> listener) {
        return LatchkeyJwtDecoder.of(verifier, StoreTime.of(revocations, outages), validators, listener);
    }
}
