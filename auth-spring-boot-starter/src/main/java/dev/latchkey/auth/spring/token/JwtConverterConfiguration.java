package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.JwtAuthPlugin;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.server.resource.authentication.DelegatingJwtGrantedAuthoritiesConverter;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.authentication.JwtGrantedAuthoritiesConverter;

/**
 * Lets Spring's resource server see the authorities that the login endpoint writes into tokens, beside the scopes that it reads
 * itself. Boot makes a converter of its own where its properties ask for one.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JwtAuthenticationConverter.class)
@ConditionalOnBean(LatchkeyJwtDecoder.class)
final class JwtConverterConfiguration {

    @Bean
    @ConditionalOnMissingBean
    JwtAuthenticationConverter latchkeyJwtAuthenticationConverter() {
        JwtAuthenticationConverter converter = new JwtAuthenticationConverter();
        converter.setJwtGrantedAuthoritiesConverter(authorities());
        return converter;
    }

    /** Scopes as Spring reads them, and the claim that the login endpoint writes. */
    static DelegatingJwtGrantedAuthoritiesConverter authorities() {
        JwtGrantedAuthoritiesConverter authorities = new JwtGrantedAuthoritiesConverter();
        authorities.setAuthoritiesClaimName(JwtAuthPlugin.AUTHORITIES_CLAIM);
        authorities.setAuthorityPrefix("");
        return new DelegatingJwtGrantedAuthoritiesConverter(new JwtGrantedAuthoritiesConverter(), authorities);
    }
}
