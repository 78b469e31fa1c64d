package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;

import com.nimbusds.jose.jwk.source.ImmutableSecret;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The services of {@link ScenariosTest}, which know nothing of Latchkey. */
final class ScenarioServices {

    private ScenarioServices() {}

    /** A table of users, and an encoder that counts how many passwords it was asked to check. */
    @Configuration(proxyBeanMethods = false)
    static class Store {

        static final BCryptPasswordEncoder BCRYPT = new BCryptPasswordEncoder(4);

        final Map<String, String> hashes = new ConcurrentHashMap<>();
        final AtomicInteger checked = new AtomicInteger();

        @Bean
        PasswordEncoder encoder() {
            return new PasswordEncoder() {
                @Override
                public String encode(CharSequence password) {
                    return BCRYPT.encode(password);
                }

                @Override
                public boolean matches(CharSequence password, String stored) {
                    checked.incrementAndGet();
                    return BCRYPT.matches(password, stored);
                }
            };
        }

        @Bean
        UserDetailsService users() {
            return name -> {
                String hash = hashes.computeIfAbsent(
                        name, user -> user.startsWith("user") ? BCRYPT.encode(user.replace("user", "password")) : null);
                if (hash == null) {
                    throw new UsernameNotFoundException("No such user");
                }
                return User.withUsername(name).password(hash).roles("USER").build();
            };
        }
    }

    @RestController
    static class Orders {

        @GetMapping("/orders")
        String orders(Authentication login) {
            return "orders of " + login.getName();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BasicChain {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/sessions")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .httpBasic(withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                    .build();
        }
    }

    @RestController
    static class Sessions {

        private final AuthenticationManager manager;

        Sessions(AuthenticationConfiguration configuration) throws Exception {
            this.manager = configuration.getAuthenticationManager();
        }

        @PostMapping("/sessions")
        String login(@RequestBody Map<String, String> login) {
            return "Welcome "
                    + manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(
                                    login.get("name"), login.get("password")))
                            .getName();
        }

        @ExceptionHandler
        @ResponseStatus(HttpStatus.UNAUTHORIZED)
        void refused(AuthenticationException refusal) {
            assertThat(refusal).isNotNull();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FormChain {

        @Bean
        SecurityFilterChain pages(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/register")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .formLogin(withDefaults())
                    .build();
        }

        @Bean
        Registration registration(PasswordEncoder encoder, Store store) {
            return new Registration(encoder, store);
        }
    }

    @RestController
    record Registration(PasswordEncoder encoder, Store store) {

        @PostMapping("/register")
        void register(@RequestParam String name, @RequestParam String password) {
            store.hashes.put(name, encoder.encode(password));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TokenServer {

        private static final SecretKey KEY =
                new SecretKeySpec(Base64.getDecoder().decode(Services.KEY), "HmacSHA256");

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/tokens")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .oauth2ResourceServer(server -> server.jwt(withDefaults()))
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        Tokens tokens(AuthenticationConfiguration configuration) throws Exception {
            return new Tokens(
                    configuration.getAuthenticationManager(), new NimbusJwtEncoder(new ImmutableSecret<>(KEY)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnDecoder {

        @Bean
        JwtDecoder decoder() {
            return NimbusJwtDecoder.withSecretKey(TokenServer.KEY).build();
        }
    }

    @RestController
    record Tokens(AuthenticationManager manager, JwtEncoder encoder) {

        @PostMapping("/tokens")
        String token(@RequestBody Map<String, String> login) {
            String name = manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(
                            login.get("name"), login.get("password")))
                    .getName();
            JwtClaimsSet claims = JwtClaimsSet.builder()
                    .subject(name)
                    .issuedAt(Instant.now())
                    .expiresAt(Instant.now().plusSeconds(3600))
                    .build();
            return encoder.encode(JwtEncoderParameters.from(
                            JwsHeader.with(MacAlgorithm.HS256).build(), claims))
                    .getTokenValue();
        }

        @ExceptionHandler
        @ResponseStatus(HttpStatus.UNAUTHORIZED)
        void refused(AuthenticationException refusal) {
            assertThat(refusal).isNotNull();
        }
    }
}
