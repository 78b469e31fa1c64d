package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.JwtAuthPlugin;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.security.oauth2.server.resource.authentication.DelegatingJwtGrantedAuthoritiesConverter;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.authentication.JwtGrantedAuthoritiesConverter;

/**
 * Lets Spring's resource server see the authorities that the login endpoint writes into tokens, beside the scopes that it reads
 * itself; after Boot's own, which makes a converter where its properties ask for one.
 */
@AutoConfiguration(
        after = LatchkeyJwtDecoderAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.security.oauth2.resource.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerAutoConfiguration"
        })
@ConditionalOnClass(JwtAuthenticationConverter.class)
@ConditionalOnBean(LatchkeyJwtDecoder.class)
public final class LatchkeyJwtConverterAutoConfiguration {

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
