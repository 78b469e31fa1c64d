package dev.latchkey.auth.spring.servlet;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.options;

import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;

/** What the log says of a browser that may not call the login, on both stacks. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class RefusedPreflightsTest {

    private static final String ALLOWED = "https://app.example";
    private static final String HINT = "A browser's CORS preflight for POST /auth/token was refused";
    private static final String[] LOGIN = {"latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true"};

    @Test
    void preflightWithoutCors_isOneWarning_withTheLineToWrite(CapturedOutput log) {
        Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues(LOGIN)
                .run(context -> {
                    assertThat(servletPreflight(context, "/hello", "POST", ALLOWED))
                            .isNotEqualTo(200);
                    assertThat(servletPreflight(context, "/auth/token", "DELETE", ALLOWED))
                            .isNotEqualTo(200);
                    assertThat(log).doesNotContain("CORS");
                    assertThat(servletPreflight(context, "/auth/token", "POST", ALLOWED))
                            .isNotEqualTo(200);
                    assertThat(servletPreflight(context, "/auth/token", "POST", ALLOWED))
                            .isNotEqualTo(200);
                });
        assertThat(log).containsOnlyOnce(HINT).contains("WARN", "http.cors(Customizer.withDefaults())");
        assertThat(log).doesNotContain(ALLOWED);
    }

    @Test
    void preflightOfAnAllowedOrigin_isNoWarning_andThatOfAnotherOriginIs(CapturedOutput log) {
        Services.web()
                .withUserConfiguration(Services.Accounts.class, WithCors.class)
                .withPropertyValues(LOGIN)
                .run(context -> {
                    assertThat(servletPreflight(context, "/auth/token", "POST", ALLOWED))
                            .isEqualTo(200);
                    assertThat(log).doesNotContain(HINT);
                    assertThat(servletPreflight(context, "/auth/token", "POST", "https://other.example"))
                            .isEqualTo(403);
                });
        assertThat(log).containsOnlyOnce(HINT);
    }

    @Test
    void webFluxPreflightWithoutCors_isOneWarning(CapturedOutput log) {
        ReactiveServices.web()
                .withPropertyValues("spring.security.user.name=alice")
                .withPropertyValues(LOGIN)
                .run(context -> {
                    assertThat(reactivePreflight(context, "/hello", ALLOWED)).isNotEqualTo(200);
                    assertThat(log).doesNotContain("CORS");
                    assertThat(reactivePreflight(context, "/auth/token", ALLOWED))
                            .isNotEqualTo(200);
                    assertThat(reactivePreflight(context, "/auth/token", ALLOWED))
                            .isNotEqualTo(200);
                });
        assertThat(log).containsOnlyOnce(HINT).doesNotContain(ALLOWED);
    }

    @Test
    void webFluxPreflightOfAnAllowedOrigin_isNoWarning_andThatOfAnotherOriginIs(CapturedOutput log) {
        ReactiveServices.web()
                .withPropertyValues("spring.security.user.name=alice")
                .withPropertyValues(LOGIN)
                .withUserConfiguration(WithReactiveCors.class)
                .run(context -> {
                    assertThat(reactivePreflight(context, "/auth/token", ALLOWED))
                            .isEqualTo(200);
                    assertThat(log).doesNotContain(HINT);
                    assertThat(reactivePreflight(context, "/auth/token", "https://other.example"))
                            .isEqualTo(403);
                });
        assertThat(log).containsOnlyOnce(HINT);
    }

    private static int servletPreflight(ApplicationContext context, String path, String method, String origin)
            throws Exception {
        return Services.mvc(context)
                .perform(options(path).header("Origin", origin).header("Access-Control-Request-Method", method))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    private static int reactivePreflight(ApplicationContext context, String path, String origin) {
        return ReactiveServices.client(context)
                .options()
                .uri("http://shop.example" + path)
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .exchange()
                .returnResult(Void.class)
                .getStatus()
                .value();
    }

    private static CorsConfiguration allowed() {
        CorsConfiguration cors = new CorsConfiguration();
        cors.setAllowedOrigins(List.of(ALLOWED));
        cors.setAllowedMethods(List.of("POST"));
        return cors;
    }

    @Configuration(proxyBeanMethods = false)
    static class WithCors {

        @Bean
        UrlBasedCorsConfigurationSource corsConfigurationSource() {
            UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/**", allowed());
            return source;
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .cors(withDefaults())
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithReactiveCors {

        @Bean
        org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource corsConfigurationSource() {
            var source = new org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/**", allowed());
            return source;
        }

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .cors(withDefaults())
                    .build();
        }
    }
}
