package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.context.WebApplicationContext;

/** Spring Security's firewall refuses to read such a field, with the whole value in the message of its exception. */
@ExtendWith(OutputCaptureExtension.class)
class DamagedFieldsTest {

    private static final String[] TOKENS = {"latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true"};

    /** As a copied zero-width space arrives. */
    private static final String STRAY = "\u0080";

    @Test
    void damagedCredentials_areRefused_andNotLogged(CapturedOutput log) {
        Services.web()
                .withUserConfiguration(Services.Accounts.class, Chain.class)
                .withBean("keys", AuthPlugin.class, KeyPlugin::new)
                .withPropertyValues(TOKENS)
                .run(context -> assertRefused(context, log));
    }

    @Test
    void damagedCredentials_onWebFlux_areRefused_andNotLogged(CapturedOutput log) {
        ReactiveServices.web()
                .withUserConfiguration(ReactiveChain.class)
                .withBean(ReactiveServices.Hello.class)
                .withBean("keys", AuthPlugin.class, KeyPlugin::new)
                .withPropertyValues(TOKENS)
                .withPropertyValues(
                        "spring.security.user.name=alice", "spring.security.user.password={noop}" + Services.PASSWORD)
                .run(context -> assertRefused(context, log));
    }

    private static void assertRefused(ApplicationContext context, CapturedOutput log) throws Exception {
        String token = context.getBean(JwtSigner.class)
                .sign(JwtClaims.forSubject("alice", Duration.ofMinutes(5)).withId("1"));
        String basic = ReactiveServices.basic("alice", Services.PASSWORD);
        for (String path : List.of("/hello", "/open")) {
            assertThat(status(context, HttpMethod.GET, path, "X-Key", "good" + STRAY))
                    .isEqualTo(401);
            assertThat(status(context, HttpMethod.GET, path, "Authorization", "Bearer " + token + STRAY))
                    .isEqualTo(401);
            assertThat(status(context, HttpMethod.GET, path, "Authorization", basic + STRAY))
                    .isIn(400, 401);
        }
        for (String path : List.of("/auth/logout", "/auth/token", "/auth/logins")) {
            assertThat(status(context, HttpMethod.POST, path, "Authorization", "Bearer " + token + STRAY))
                    .isLessThan(500);
        }
        assertThat(log.getAll()).doesNotContain(token).doesNotContain(basic.substring("Basic ".length()));
        assertThat(log.getAll()).doesNotContain("ERROR").doesNotContain("good" + STRAY);
    }

    private static int status(ApplicationContext context, HttpMethod method, String path, String name, String value)
            throws Exception {
        if (context instanceof WebApplicationContext) {
            return Services.mvc(context)
                    .perform(request(method, path).header(name, value))
                    .andReturn()
                    .getResponse()
                    .getStatus();
        }
        return ReactiveServices.client(context)
                .method(method)
                .uri(path)
                .header(name, value)
                .exchange()
                .returnResult(Void.class)
                .getStatus()
                .value();
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.httpBasic(withDefaults())
                    .with(latchkey(), withDefaults())
                    .authorizeHttpRequests(rules -> rules.requestMatchers("/open")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ReactiveChain {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .httpBasic(withDefaults())
                    .authorizeExchange(rules -> rules.pathMatchers("/open")
                            .permitAll()
                            .anyExchange()
                            .authenticated())
                    .build();
        }
    }
}
