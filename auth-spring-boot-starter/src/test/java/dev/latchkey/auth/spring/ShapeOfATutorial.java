package dev.latchkey.auth.spring;

import static org.springframework.security.config.Customizer.withDefaults;

import io.jsonwebtoken.JwtException;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.security.Keys;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import javax.crypto.SecretKey;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.HttpStatusEntryPoint;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

/** A service in the shape of a tutorial's with jjwt before Latchkey: the filter looks the account up at each request. */
@Configuration(proxyBeanMethods = false)
@EnableMethodSecurity
class ShapeOfATutorial {

    static final String SECRET = "the secret of a tutorial, as a text";

    private static SecretKey key() {
        return Keys.hmacShaKeyFor(SECRET.getBytes(StandardCharsets.UTF_8));
    }

    @Bean
    SecurityFilterChain chain(HttpSecurity http, UserDetailsService accounts) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/api/auth/**")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .cors(withDefaults())
                .csrf(csrf -> csrf.disable())
                .exceptionHandling(handling ->
                        handling.authenticationEntryPoint(new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED)))
                .addFilterBefore(new TokenFilter(accounts), UsernamePasswordAuthenticationFilter.class)
                .build();
    }

    private static final class TokenFilter extends OncePerRequestFilter {

        private final UserDetailsService accounts;

        TokenFilter(UserDetailsService accounts) {
            this.accounts = accounts;
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            String header = request.getHeader("Authorization");
            if (header != null && header.startsWith("Bearer ")) {
                try {
                    String name = Jwts.parser()
                            .verifyWith(key())
                            .build()
                            .parseSignedClaims(header.substring(7))
                            .getPayload()
                            .getSubject();
                    UserDetails account = accounts.loadUserByUsername(name);
                    SecurityContextHolder.getContext()
                            .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                                    account, null, account.getAuthorities()));
                } catch (JwtException e) {
                    logger.debug("No good token", e);
                }
            }
            chain.doFilter(request, response);
        }
    }

    @RestController
    static class SignIn {

        private final UserDetailsService accounts;
        private final PasswordEncoder encoder;

        SignIn(UserDetailsService accounts, PasswordEncoder encoder) {
            this.accounts = accounts;
            this.encoder = encoder;
        }

        @PostMapping("/api/auth/signin")
        ResponseEntity<Map<String, String>> signIn(@RequestBody Shapes.Login login) {
            UserDetails account = accounts.loadUserByUsername(login.username());
            if (!encoder.matches(login.password(), account.getPassword())) {
                return ResponseEntity.status(401).build();
            }
            String token = Jwts.builder()
                    .subject(login.username())
                    .issuedAt(Date.from(Instant.now()))
                    .expiration(Date.from(Instant.now().plusSeconds(3600)))
                    .signWith(key(), Jwts.SIG.HS256)
                    .compact();
            return ResponseEntity.ok(Map.of("token", token, "username", login.username()));
        }
    }
}
