package dev.latchkey.auth.spring;

import static org.springframework.security.config.Customizer.withDefaults;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serializable;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.PermissionEvaluator;
import org.springframework.security.access.expression.method.DefaultMethodSecurityExpressionHandler;
import org.springframework.security.access.expression.method.MethodSecurityExpressionHandler;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
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

/** A service in the shape of one with Sa-Token before Latchkey: a token is a name in a map, and permissions have stars. */
@Configuration(proxyBeanMethods = false)
@EnableMethodSecurity
class ShapeOfSaToken {

    private static final Map<String, String> LOGINS = new ConcurrentHashMap<>();

    @Bean
    SecurityFilterChain chain(HttpSecurity http, UserDetailsService accounts) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/user/doLogin")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .cors(withDefaults())
                .csrf(csrf -> csrf.disable())
                .exceptionHandling(handling ->
                        handling.authenticationEntryPoint(new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED)))
                .addFilterBefore(new NameFilter(accounts), UsernamePasswordAuthenticationFilter.class)
                .build();
    }

    @Bean
    static MethodSecurityExpressionHandler expressions() {
        DefaultMethodSecurityExpressionHandler expressions = new DefaultMethodSecurityExpressionHandler();
        expressions.setPermissionEvaluator(new Stars());
        return expressions;
    }

    private static final class NameFilter extends OncePerRequestFilter {

        private final UserDetailsService accounts;

        NameFilter(UserDetailsService accounts) {
            this.accounts = accounts;
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            String token = request.getHeader("satoken");
            String name = token == null ? null : LOGINS.get(token);
            if (name != null) {
                UserDetails account = accounts.loadUserByUsername(name);
                SecurityContextHolder.getContext()
                        .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                                account, null, account.getAuthorities()));
            }
            chain.doFilter(request, response);
        }
    }

    @RestController
    static class DoLogin {

        private final UserDetailsService accounts;
        private final PasswordEncoder encoder;

        DoLogin(UserDetailsService accounts, PasswordEncoder encoder) {
            this.accounts = accounts;
            this.encoder = encoder;
        }

        @PostMapping("/user/doLogin")
        ResponseEntity<Map<String, String>> doLogin(@RequestBody Shapes.Login login) {
            String hash = accounts.loadUserByUsername(login.username()).getPassword();
            if (!encoder.matches(login.password(), hash)) {
                return ResponseEntity.status(401).build();
            }
            String token = UUID.randomUUID().toString();
            LOGINS.put(token, login.username());
            return ResponseEntity.ok(Map.of("tokenName", "satoken", "tokenValue", token));
        }
    }

    private static final class Stars implements PermissionEvaluator {

        @Override
        public boolean hasPermission(Authentication login, Object resource, Object action) {
            return login.getAuthorities().stream()
                    .anyMatch(authority -> authority.getAuthority().equals(resource + ".*"));
        }

        @Override
        public boolean hasPermission(Authentication login, Serializable id, String type, Object action) {
            return false;
        }
    }
}
