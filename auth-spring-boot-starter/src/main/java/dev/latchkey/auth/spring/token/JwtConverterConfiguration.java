package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.Factors;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.DelegatingJwtGrantedAuthoritiesConverter;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.authentication.JwtGrantedAuthoritiesConverter;

/**
 * Adds the authorities of the login endpoint's tokens to Spring's resource server, beside the scopes. Boot makes its own
 * converter if its properties ask for a converter.
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

    /** Scopes as Spring reads scopes, the authorities claim of the login endpoint, and the proofs of the login. */
    static DelegatingJwtGrantedAuthoritiesConverter authorities() {
        JwtGrantedAuthoritiesConverter authorities = new JwtGrantedAuthoritiesConverter();
        authorities.setAuthoritiesClaimName(JwtAuthPlugin.AUTHORITIES_CLAIM);
        authorities.setAuthorityPrefix("");
        return new DelegatingJwtGrantedAuthoritiesConverter(
                new JwtGrantedAuthoritiesConverter(), authorities, JwtConverterConfiguration::factorsIn);
    }

    /** The proofs of the token's login; empty if the claim has another form. */
    private static Collection<GrantedAuthority> factorsIn(Jwt jwt) {
        if (!(jwt.getClaims().get(JwtAuthPlugin.METHODS_CLAIM) instanceof List<?> methods)
                || !(jwt.getClaims().get(JwtAuthPlugin.TIME_CLAIM) instanceof Long seconds)) {
            return List.of();
        }
        try {
            Set<String> names = methods.stream().map(String.class::cast).collect(Collectors.toUnmodifiableSet());
            return FactorAuthorities.of(new Factors(names, Instant.ofEpochSecond(seconds)));
        } catch (ClassCastException | IllegalArgumentException | DateTimeException e) {
            return List.of();
        }
    }
}
