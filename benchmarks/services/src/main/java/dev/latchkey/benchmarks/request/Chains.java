package dev.latchkey.benchmarks.request;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import io.jsonwebtoken.Claims;
import io.jsonwebtoken.JwtException;
import io.jsonwebtoken.JwtParser;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.security.Keys;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.HttpStatusEntryPoint;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;

/** The filter chains, a chain for each process: only the class of the requested variant is loaded. */
final class Chains {

    private Chains() {}

    /** The filters of the other chains without the token filter. Every request is permitted. */
    @Configuration(proxyBeanMethods = false)
    static class Open {

        @Bean
        SecurityFilterChain open(HttpSecurity http) {
            return stateless(http)
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    /** The chain of a service with Latchkey: one added line. The key is a property. */
    @Configuration(proxyBeanMethods = false)
    static class Latchkey {

        @Bean
        SecurityFilterChain tokens(HttpSecurity http) {
            return authenticated(http).with(latchkey(), withDefaults()).build();
        }
    }

    /** Spring's resource server with a decoder by Nimbus, as Spring's reference shows for a symmetric key. */
    @Configuration(proxyBeanMethods = false)
    static class ResourceServer {

        @Bean
        JwtDecoder decoder(@Value("${request.key}") String key) {
            return NimbusJwtDecoder.withSecretKey(
                            new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"))
                    .build();
        }

        @Bean
        SecurityFilterChain tokens(HttpSecurity http) {
            return authenticated(http)
                    .oauth2ResourceServer(server -> server.jwt(withDefaults()))
                    .build();
        }
    }

    /** A handwritten filter over jjwt at its best: a shared parser, a single parse of each token, and no account lookup. */
    @Configuration(proxyBeanMethods = false)
    static class Jjwt {

        @Bean
        SecurityFilterChain tokens(HttpSecurity http, @Value("${request.key}") String key) {
            JwtParser parser = Jwts.parser()
                    .verifyWith(Keys.hmacShaKeyFor(Base64.getDecoder().decode(key)))
                    .build();
            return by(http, new BearerFilter(token -> caller(parser, token)));
        }

        private static Optional<Authentication> caller(JwtParser parser, String token) {
            try {
                Claims claims = parser.parseSignedClaims(token).getPayload();
                List<?> authorities = claims.get("authorities", List.class);
                return Optional.of(authenticatedAs(
                        claims.getSubject(),
                        authorities.stream().map(String::valueOf).toList()));
            } catch (JwtException | IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }

    /** A handwritten filter over {@code auth-jwt}, without the starter. */
    @Configuration(proxyBeanMethods = false)
    static class AuthJwt {

        @Bean
        SecurityFilterChain tokens(HttpSecurity http, @Value("${request.key}") String key) {
            JwtVerifier verifier =
                    JwtVerifier.with(HmacKey.of(Base64.getDecoder().decode(key)));
            return by(
                    http,
                    new BearerFilter(token -> verifier.verify(token).verified().map(AuthJwt::caller)));
        }

        private static Authentication caller(VerifiedJwt jwt) {
            return authenticatedAs(
                    jwt.subject().orElseThrow(), jwt.texts("authorities").orElse(List.of()));
        }
    }

    private static Authentication authenticatedAs(String subject, List<String> authorities) {
        return UsernamePasswordAuthenticationToken.authenticated(
                subject, null, AuthorityUtils.createAuthorityList(authorities));
    }

    private static SecurityFilterChain by(HttpSecurity http, BearerFilter filter) {
        return authenticated(http)
                .addFilterBefore(filter, UsernamePasswordAuthenticationFilter.class)
                .build();
    }

    /** Rules for authenticated callers only. Other callers get a bare 401, unless the chain has an answer of its own. */
    private static HttpSecurity authenticated(HttpSecurity http) {
        return stateless(http)
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .exceptionHandling(failures ->
                        failures.authenticationEntryPoint(new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED)));
    }

    /** An API without sessions: each request carries its credentials. */
    private static HttpSecurity stateless(HttpSecurity http) {
        return http.sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(csrf -> csrf.disable())
                // The load generator has a cache like a browser, and would spend time on parsing "Expires: 0".
                .headers(headers -> headers.cacheControl(cache -> cache.disable()));
    }
}
