package dev.latchkey.auth.spring;

import static org.springframework.security.config.Customizer.withDefaults;

import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.util.Base64;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.authentication.JwtGrantedAuthoritiesConverter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A service in the shape of JHipster's before Latchkey: written from its documents, and no copy. */
@Configuration(proxyBeanMethods = false)
@EnableMethodSecurity
class ShapeOfJHipster {

    /** 66 bytes in Base64. */
    static final String SECRET =
            "c2hhcGUgb2YgYSBzZXJ2aWNlIHdpdGggYSBzZWNyZXQgaW4gQmFzZTY0IHRoYXQgaGFzIHNpeHR5LWZvdXIgYnl0ZXMgYW5kIG1vcmU=";

    private static SecretKey key() {
        byte[] bytes = Base64.from(SECRET).decode();
        return new SecretKeySpec(bytes, MacAlgorithm.HS512.getName());
    }

    @Bean
    JwtDecoder jwtDecoder() {
        return NimbusJwtDecoder.withSecretKey(key())
                .macAlgorithm(MacAlgorithm.HS512)
                .build();
    }

    @Bean
    JwtEncoder jwtEncoder() {
        return new NimbusJwtEncoder(new ImmutableSecret<>(key()));
    }

    @Bean
    AuthenticationManager authenticationManager(AuthenticationConfiguration configuration) throws Exception {
        return configuration.getAuthenticationManager();
    }

    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
        JwtGrantedAuthoritiesConverter authorities = new JwtGrantedAuthoritiesConverter();
        authorities.setAuthorityPrefix("");
        authorities.setAuthoritiesClaimName("auth");
        JwtAuthenticationConverter converter = new JwtAuthenticationConverter();
        converter.setJwtGrantedAuthoritiesConverter(authorities);
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/api/authenticate")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .cors(withDefaults())
                .csrf(csrf -> csrf.disable())
                .oauth2ResourceServer(server -> server.jwt(jwt -> jwt.jwtAuthenticationConverter(converter)))
                .build();
    }

    @RestController
    static class Authenticate {

        private final JwtEncoder encoder;
        private final AuthenticationManager manager;

        Authenticate(JwtEncoder encoder, AuthenticationManager manager) {
            this.encoder = encoder;
            this.manager = manager;
        }

        @PostMapping("/api/authenticate")
        ResponseEntity<Map<String, String>> authenticate(@RequestBody Shapes.Login login) {
            Authentication authentication;
            try {
                authentication = manager.authenticate(
                        new UsernamePasswordAuthenticationToken(login.username(), login.password()));
            } catch (AuthenticationException e) {
                return ResponseEntity.status(401).build();
            }
            String authorities = authentication.getAuthorities().stream()
                    .map(GrantedAuthority::getAuthority)
                    .collect(Collectors.joining(" "));
            JwtClaimsSet claims = JwtClaimsSet.builder()
                    .subject(authentication.getName())
                    .issuedAt(Instant.now())
                    .expiresAt(Instant.now().plusSeconds(3600))
                    .claim("auth", authorities)
                    .build();
            JwsHeader header = JwsHeader.with(MacAlgorithm.HS512).build();
            String token =
                    encoder.encode(JwtEncoderParameters.from(header, claims)).getTokenValue();
            return ResponseEntity.ok(Map.of("id_token", token));
        }
    }
}
