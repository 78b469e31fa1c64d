package dev.latchkey.auth.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Passwords come in by Basic, by forms, by the login endpoint and by plugins: all behind one guard. */
class GuardWaysInTest {

    private static final String LOGIN = "--latchkey.login.enabled=true";
    private static final String KEY = "--latchkey.jwt.secret=" + Services.KEY;

    private final HashingProbe probe = GuardServerVariantsTest.PROBE;

    @Test
    void loginEndpoint_isBehindTheSameLimits() throws Exception {
        try (GuardServer server =
                GuardServer.start(GuardServerVariantsTest.Service.class, LOGIN, KEY, GuardServer.NO_RESOURCE_SERVER)) {
            assertThat(server.login("ann", "right").join().statusCode()).isEqualTo(200);
            for (int i = 0; i < 5; i++) {
                assertThat(server.login("eve", "wrong" + i).join().statusCode()).isEqualTo(401);
            }
            assertThat(server.login("eve", "wrong").join().statusCode()).isEqualTo(429);
            assertThat(server.get("/hello", "eve", "wrong").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void form_isBehindTheSameLimits() throws Exception {
        try (GuardServer server = GuardServer.start(GuardServerVariantsTest.Service.class)) {
            Matcher csrf = Pattern.compile("name=\"_csrf\" type=\"hidden\" value=\"([^\"]+)\"")
                    .matcher(server.get("/login").body());
            assertThat(csrf.find()).isTrue();
            for (int i = 0; i < 5; i++) {
                assertThat(form(server, csrf.group(1), "wrong" + i).headers().firstValue("Location"))
                        .hasValueSatisfying(page -> assertThat(page).endsWith("/login?error"));
            }
            assertThat(form(server, csrf.group(1), "right").statusCode()).isEqualTo(429);
            assertThat(server.get("/hello", "eve", "right").statusCode()).isEqualTo(429);
        }
    }

    private static HttpResponse<String> form(GuardServer server, String csrf, String password) throws Exception {
        return server.send(server.request("/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "username=eve&password=" + password + "&_csrf=" + URLEncoder.encode(csrf, UTF_8))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"directory", "users"})
    void pluginOfAThirdParty_isBehindTheSameLimits_whateverItsName(String name) throws Exception {
        try (GuardServer server = GuardServer.start(
                WithPlugin.class,
                LOGIN,
                KEY,
                "--test.plugin=" + name,
                "--latchkey.plugins=" + name,
                "--latchkey.store=memory",
                "--latchkey.plugin.api-keys.enabled=false",
                "--latchkey.plugin.one-time-codes.enabled=false",
                "--latchkey.plugin.passkeys.enabled=false",
                "--spring.autoconfigure.exclude=" + UserDetailsServiceAutoConfiguration.class.getName())) {
            probe.forget();
            assertThat(server.login("bob", "right").join().statusCode()).isEqualTo(200);
            for (int i = 0; i < 5; i++) {
                assertThat(server.login("eve", "wrong" + i).join().statusCode()).isEqualTo(401);
            }
            assertThat(server.login("eve", "right").join().statusCode()).isEqualTo(429);
        }
    }

    @Test
    void limits_canBeSwitchedOff() throws Exception {
        try (GuardServer server =
                GuardServer.start(GuardServerVariantsTest.Service.class, "--latchkey.guard.limits.enabled=false")) {
            for (int i = 0; i < 10; i++) {
                assertThat(server.get("/hello", "ann", "wrong" + i).statusCode())
                        .isEqualTo(401);
            }
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithPlugin {

        @Bean
        AuthPlugin directory(@Value("${test.plugin}") String name) {
            return new LoginSource<PasswordCredentials>() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public Class<PasswordCredentials> kind() {
                    return PasswordCredentials.class;
                }

                @Override
                public Decision authenticate(PasswordCredentials given, RequestContext context) {
                    return given.password()
                                    .withText(text -> GuardServerVariantsTest.PROBE.matches(
                                            text, HashingProbe.stored("", "right")))
                            ? Authenticated.as(Subject.of(given.username()))
                            : Rejected.because(RejectionReason.BAD_CREDENTIALS);
                }
            };
        }
    }
}
