package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Rules of a chain that ask Spring MVC about a request, where a login in it costs a hash. */
@ExtendWith(OutputCaptureExtension.class)
class MvcRulesTest {

    /** Only the first is a warning. */
    private static final String EACH_MISS =
            "--logging.level.org.springframework.web.servlet.handler.HandlerMappingIntrospector=trace";

    @Test
    void rulesThatAskSpringMvc_decideAsEver_andNothingIsLogged(CapturedOutput output) throws Exception {
        try (GuardServer server = GuardServer.start(Service.class, EACH_MISS, "--latchkey.store=memory")) {
            Service.PROBE.forget();
            assertThat(server.get("/admins", "ann", "right").statusCode()).isEqualTo(403);
            assertThat(server.get("/users", "bob", "right").body()).isEqualTo("Hello bob");
            assertThat(server.get("/partners/users", "carl", "right").body()).isEqualTo("Hello carl");
            assertThat(server.get("/partners/admins", "dora", "right").statusCode())
                    .isEqualTo(403);
            assertThat(server.get("/users", "eve", "wrong").statusCode()).isEqualTo(401);
            assertThat(Service.PROBE.threads).isNotEmpty().allMatch(name -> name.startsWith("http-nio-"));
        }
        assertThat(output).doesNotContain("MatchableHandlerMapping lookup", "WARN");
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        static final HashingProbe PROBE = new HashingProbe();

        @Bean
        PasswordEncoder encoder() {
            return PROBE;
        }

        @Bean
        UserDetailsService users() {
            return name -> User.withUsername(name)
                    .password(HashingProbe.stored(name, "right"))
                    .roles("USER")
                    .build();
        }

        @Bean
        @Order(1)
        SecurityFilterChain partners(HttpSecurity http) throws Exception {
            return rules(http.securityMatcher("/partners/**"), "/partners/admins");
        }

        @Bean
        @Order(2)
        SecurityFilterChain others(HttpSecurity http) throws Exception {
            return rules(http, "/admins");
        }

        private static SecurityFilterChain rules(HttpSecurity http, String admins) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers(admins)
                            .hasRole("ADMIN")
                            .anyRequest()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        Endpoints endpoints() {
            return new Endpoints();
        }
    }

    @RestController
    static class Endpoints {

        @GetMapping({"/users", "/admins", "/partners/users", "/partners/admins"})
        String hello(Principal principal) {
            return "Hello " + principal.getName();
        }
    }
}
