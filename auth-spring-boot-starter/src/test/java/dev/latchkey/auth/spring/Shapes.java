package dev.latchkey.auth.spring;

import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;

/** What the services of {@link BeforeAndAfterTest} have before and after. */
final class Shapes {

    /** The body of each login. */
    record Login(String username, String password) {}

    private Shapes() {}

    @Configuration(proxyBeanMethods = false)
    static class Common {

        @Bean
        BCryptPasswordEncoder passwordEncoder() {
            return new BCryptPasswordEncoder(4);
        }

        @Bean
        UserDetailsService accounts(BCryptPasswordEncoder encoder) {
            return new InMemoryUserDetailsManager(User.withUsername("admin")
                    .password(encoder.encode(Services.PASSWORD))
                    .authorities("ROLE_ADMIN", "ROLE_USER", "order.*")
                    .build());
        }

        @Bean
        UrlBasedCorsConfigurationSource corsConfigurationSource() {
            CorsConfiguration cors = new CorsConfiguration();
            cors.setAllowedOrigins(List.of(Browser.ORIGIN));
            cors.setAllowedMethods(List.of("GET", "POST"));
            cors.setAllowedHeaders(List.of("authorization", "content-type", "satoken"));
            UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/**", cors);
            return source;
        }

        @Bean
        Pages pages() {
            return new Pages();
        }
    }

    @RestController
    static class Pages {

        @GetMapping("/hello")
        String hello(Authentication login) {
            return "hello " + login.getName();
        }

        @GetMapping("/admin")
        @PreAuthorize("hasRole('ADMIN')")
        public String admin(Authentication login) {
            return "hello " + login.getName();
        }

        @GetMapping("/root")
        @PreAuthorize("hasRole('ROOT')")
        public String root() {
            return "root";
        }

        @GetMapping("/orders")
        @PreAuthorize("hasPermission('order', 'read')")
        public String orders() {
            return "orders";
        }
    }
}
