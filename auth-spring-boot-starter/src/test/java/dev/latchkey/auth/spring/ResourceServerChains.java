package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.spring.token.ResourceServerTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** Filter chains of services that are OAuth2 resource servers, for {@link ResourceServerTest}. */
public final class ResourceServerChains {

    private ResourceServerChains() {}

    @Configuration(proxyBeanMethods = false)
    public static class OwnChain {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/admin")
                            .hasRole("ADMIN")
                            .anyRequest()
                            .authenticated())
                    .oauth2ResourceServer(server -> server.jwt(withDefaults()))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    public static class LoginChain {

        @Bean
        @Order(1)
        SecurityFilterChain login(HttpSecurity http) throws Exception {
            return http.securityMatcher("/auth/**")
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    public static class BothInOneChain {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .oauth2ResourceServer(server -> server.jwt(withDefaults()))
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }
}
