package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.spring.endpoint.LatchkeyLoginEndpointsAutoConfiguration;
import dev.latchkey.auth.spring.limits.LatchkeyGuardWebAutoConfiguration;
import dev.latchkey.auth.spring.login.LatchkeyLoginAutoConfiguration;
import dev.latchkey.auth.spring.metrics.LatchkeyMetricsAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyEncodersAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.servlet.LatchkeyWebAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyJwtDecoderAutoConfiguration;
import dev.latchkey.throttle.spring.LatchkeyThrottleAutoConfiguration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.ServletWebServerFactoryAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;

/**
 * A service of servlets alone, as with Jersey. Spring MVC and WebFlux are really absent, and not only hidden from the
 * conditions: so a hidden need fails here as in a user's service.
 */
class ServletsWithoutMvcTest {

    @Test
    void serviceWithNoSpringMvc_hasLoginsTokensAndLimits() throws Exception {
        assertThat(FreshClassPath.without("spring-webmvc", "spring-webflux").call(Asked.class))
                .containsExactly(
                        "open path 200 null",
                        "no credentials 401",
                        "password 200 alice",
                        "wrong password 401",
                        "token 200 alice",
                        "broken token 401",
                        "renewed token 200 alice",
                        "logout 204",
                        "token after it 401",
                        "a sixth wrong password 429",
                        "by the endpoint too 429",
                        "above the rate 503");
    }

    /** Made and asked by the other loader. */
    static final class Asked implements Callable<List<String>> {

        private static final Pattern TOKEN = Pattern.compile("\"(access|refresh)_token\":\"([^\"]+)\"");

        private final List<String> answers = new ArrayList<>();

        @Override
        public List<String> call() throws Exception {
            // The JVM takes one such factory, and the other tests need theirs.
            TomcatURLStreamHandlerFactory.disable();
            try (GuardServer server = GuardServer.start(
                    Service.class,
                    "--latchkey.jwt.secret=" + Services.KEY,
                    "--latchkey.login.enabled=true",
                    "--latchkey.login.refresh.enabled=true",
                    "--latchkey.throttle.rare.paths=/rare",
                    "--latchkey.throttle.rare.global.tokens=1",
                    "--latchkey.throttle.rare.global.per=1d")) {
                passwords(server);
                tokens(server);
                limits(server);
            }
            return answers;
        }

        private void passwords(GuardServer server) throws Exception {
            note("open path", server.get("/open/to/all"));
            note("no credentials", server.get("/who"));
            note("password", server.get("/who", "alice", Services.PASSWORD));
            note("wrong password", server.get("/who", "alice", "wrong"));
        }

        private void tokens(GuardServer server) throws Exception {
            String login = server.login("alice", Services.PASSWORD).join().body();
            String access = token(login, "access");
            note("token", server.send(bearing(server, "/who", access)));
            note("broken token", server.send(bearing(server, "/who", access + "x")));
            String renewed = token(
                    server.send(server.request("/auth/token")
                                    .header("Content-Type", "application/x-www-form-urlencoded")
                                    .POST(HttpRequest.BodyPublishers.ofString(
                                            "refresh_token=" + token(login, "refresh"))))
                            .body(),
                    "access");
            note("renewed token", server.send(bearing(server, "/who", renewed)));
            note(
                    "logout",
                    server.send(bearing(server, "/auth/logout", renewed).POST(HttpRequest.BodyPublishers.noBody())));
            note("token after it", server.send(bearing(server, "/who", renewed)));
        }

        private void limits(GuardServer server) throws Exception {
            for (int i = 0; i < 5; i++) {
                server.get("/who", "nobody", "wrong" + i);
            }
            note("a sixth wrong password", server.get("/who", "nobody", "wrong"));
            note("by the endpoint too", server.login("nobody", "wrong").join());
            server.get("/rare", "alice", Services.PASSWORD);
            note("above the rate", server.get("/rare", "alice", Services.PASSWORD));
        }

        private void note(String what, HttpResponse<String> answer) {
            answers.add(what + " " + answer.statusCode() + (answer.statusCode() == 200 ? " " + answer.body() : ""));
        }

        private static HttpRequest.Builder bearing(GuardServer server, String path, String token) {
            return server.request(path).header("Authorization", "Bearer " + token);
        }

        private static String token(String body, String kind) {
            return TOKEN.matcher(body)
                    .results()
                    .filter(found -> found.group(1).equals(kind))
                    .map(found -> found.group(2))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("No " + kind + " token in " + body));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        ServletWebServerFactoryAutoConfiguration.class,
        SecurityAutoConfiguration.class,
        SecurityFilterAutoConfiguration.class,
        LatchkeyAutoConfiguration.class,
        LatchkeyEncodersAutoConfiguration.class,
        LatchkeyGuardAutoConfiguration.class,
        LatchkeyGuardWebAutoConfiguration.class,
        LatchkeyJwtAutoConfiguration.class,
        LatchkeyJwtDecoderAutoConfiguration.class,
        LatchkeyLoginAutoConfiguration.class,
        LatchkeyLoginEndpointsAutoConfiguration.class,
        LatchkeyMetricsAutoConfiguration.class,
        LatchkeyThrottleAutoConfiguration.class,
        LatchkeyWebAutoConfiguration.class
    })
    static class Service {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/open/**")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .csrf(csrf -> csrf.disable())
                    .httpBasic(withDefaults())
                    .with(latchkey(), withDefaults())
                    .build();
        }

        @Bean
        BCryptPasswordEncoder encoder() {
            return new BCryptPasswordEncoder(4);
        }

        @Bean
        UserDetailsService users(BCryptPasswordEncoder encoder) {
            String hash = encoder.encode(Services.PASSWORD);
            return name -> User.withUsername(name).password(hash).build();
        }

        /** For all paths: where no servlet is mapped, the container asks no filter either. */
        @Bean
        ServletRegistrationBean<Who> who() {
            return new ServletRegistrationBean<>(new Who(), "/");
        }
    }

    static final class Who extends HttpServlet {

        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write(String.valueOf(request.getRemoteUser()));
        }
    }
}
