package dev.latchkey.benchmarks.services;

import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.benchmarks.request.BearerFilter;
import dev.latchkey.benchmarks.services.SubjectProperties.TokenMaker;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;

/** The filter chains: Basic, and tokens of the service's own. */
@Configuration(proxyBeanMethods = false)
class ChainConfiguration {

    /** No secret: nothing but the benchmark trusts this key. */
    private static final byte[] KEY =
            "a key of the benchmark's own, 48 bytes in length".getBytes(StandardCharsets.US_ASCII);

    @Bean
    Tokens tokens(SubjectProperties subject) {
        return subject.tokens() == TokenMaker.JJWT ? new JjwtTokens(KEY) : new LatchkeyTokens(KEY);
    }

    @Bean
    AuthenticationManager passwords(AuthenticationConfiguration configuration) {
        return configuration.getAuthenticationManager();
    }

    @Bean
    @Order(1)
    SecurityFilterChain open(HttpSecurity http) {
        return stateless(http.securityMatcher("/public/**", "/error"))
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain basic(HttpSecurity http) {
        return stateless(http.securityMatcher("/basic/**"))
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .httpBasic(withDefaults())
                .build();
    }

    @Bean
    @Order(3)
    SecurityFilterChain ownTokens(HttpSecurity http, Tokens tokens) {
        return stateless(http)
                .authorizeHttpRequests(requests -> requests.requestMatchers("/login")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .addFilterBefore(new BearerFilter(token -> caller(tokens, token)), AuthorizationFilter.class)
                .build();
    }

    private static Optional<Authentication> caller(Tokens tokens, String token) {
        return Optional.ofNullable(tokens.subjectOf(token))
                .map(subject -> UsernamePasswordAuthenticationToken.authenticated(
                        subject, null, AuthorityUtils.createAuthorityList("ROLE_USER")));
    }

    private static HttpSecurity stateless(HttpSecurity http) {
        return http.sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(csrf -> csrf.disable())
                // The generator has a cache like a browser, and would spend time on reading "Expires: 0".
                .headers(headers -> headers.cacheControl(cache -> cache.disable()));
    }
}
