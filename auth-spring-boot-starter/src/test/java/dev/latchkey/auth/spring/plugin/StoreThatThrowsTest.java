package dev.latchkey.auth.spring.plugin;

import static dev.latchkey.auth.spring.ReactiveServices.basic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.RecordingEncoder;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer;
import jakarta.servlet.http.Cookie;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A store of accounts that says "disabled" by an exception refuses the login as a wrong password is refused, whichever way it comes in. */
class StoreThatThrowsTest {

    private static final Pattern REFRESH_TOKEN = Pattern.compile("\"refresh_token\":\"([^\"]+)\"");

    private final RecordingEncoder encoder = new RecordingEncoder(() -> 0);
    private final StoreThatThrows store = new StoreThatThrows(Services.PASSWORD);
    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Chain.class)
            .withBean(PasswordEncoder.class, () -> encoder)
            .withBean(UserDetailsService.class, store::accounts)
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true");

    /** The decider about the password. */
    enum Decider {
        SPRINGS_PROVIDER,
        THE_CHAIN
    }

    private WebApplicationContextRunner decidedBy(Decider decider) {
        return decider == Decider.THE_CHAIN ? service.withBean("directory", AuthPlugin.class, Directory::new) : service;
    }

    @ParameterizedTest
    @EnumSource
    void basic_refusesAllAlike_atTheCostOfAHash_andCountsIt(Decider decider) {
        decidedBy(decider).run(context -> {
            for (String name : StoreThatThrows.REFUSED) {
                assertRefusedAlike(
                        context, get("/hello").header("Authorization", basic(name, "right")), basicOfAlice());
                for (int i = 1; i < 5; i++) {
                    answer(context, get("/hello").header("Authorization", basic(name, "right" + i)));
                }
                assertThat(answer(context, get("/hello").header("Authorization", basic(name, "right5")))
                                .getStatus())
                        .isEqualTo(429);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void basic_countsOneWrongPasswordAgainAndAgainOnce(Decider decider) {
        decidedBy(decider).run(context -> {
            for (String name : StoreThatThrows.REFUSED) {
                for (int i = 0; i < 9; i++) {
                    assertThat(answer(context, get("/hello").header("Authorization", basic(name, "old")))
                                    .getStatus())
                            .as(name)
                            .isEqualTo(401);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void form_refusesAllAlike_atTheCostOfAHash(Decider decider) {
        decidedBy(decider).run(context -> {
            for (String name : StoreThatThrows.REFUSED) {
                assertRefusedAlike(context, form(name, "right"), form("alice", "wrong"));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void controllerThatAsksTheManager_isToldTheSameOfAll(Decider decider) {
        decidedBy(decider).run(context -> {
            for (String name : StoreThatThrows.REFUSED) {
                assertRefusedAlike(context, own(name, "right"), own("alice", "wrong"));
            }
        });
    }

    @Test
    void loginEndpoint_refusesAllAlike_atTheCostOfAHash() {
        service.run(context -> {
            for (String name : StoreThatThrows.REFUSED) {
                assertRefusedAlike(context, login(name, "right"), login("alice", "wrong"));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"disabled", "inactive"})
    void nextPlugin_isNotAskedAboutAnAccountThatTheStoreRefuses(String name) {
        Directory directory = new Directory();
        service.withBean("directory", AuthPlugin.class, () -> directory).run(context -> {
            answer(context, login(name, "right"));
            assertThat(directory.asked).isEmpty();
        });
    }

    @Test
    void refresh_endsForAnAccountThatTheStoreRefusesSince() {
        service.run(context -> {
            String token = refreshToken(answer(context, login("alice", Services.PASSWORD)));
            store.disable("alice");
            assertThat(answer(context, refresh(token)).getStatus()).isEqualTo(401);
        });
    }

    @Test
    void rememberMe_endsForAnAccountThatTheStoreRefusesSince() {
        service.run(context -> {
            Cookie remembered = Stream.of(
                            answer(context, form("alice", Services.PASSWORD)).getCookies())
                    .filter(cookie -> cookie.getName().equals("remember-me"))
                    .findFirst()
                    .orElseThrow();
            assertThat(answer(context, get("/hello").cookie(remembered)).getStatus())
                    .isEqualTo(200);
            store.disable("alice");
            assertThat(answer(context, get("/hello").cookie(remembered)).getStatus())
                    .isEqualTo(answer(context, get("/hello")).getStatus());
        });
    }

    @Test
    void storeThatSaysItIsDown_isAnOutage() {
        service.run(context -> {
            MockHttpServletResponse answer = answer(context, login("down", "right"));
            assertThat(answer.getStatus()).isEqualTo(503);
            assertThat(encoder.calls).isEmpty();
        });
        decidedBy(Decider.THE_CHAIN)
                .run(context -> assertThat(answer(
                                        context, get("/hello").header("Authorization", basic("down", "right")))
                                .getStatus())
                        .isEqualTo(503));
    }

    private void assertRefusedAlike(
            ApplicationContext context, MockHttpServletRequestBuilder refused, MockHttpServletRequestBuilder wrong)
            throws Exception {
        String expected = shown(answer(context, wrong));
        encoder.calls.clear();
        assertThat(shown(answer(context, refused))).isEqualTo(expected);
        assertThat(encoder.calls).hasSize(1);
    }

    /** All that a client sees. */
    private static String shown(MockHttpServletResponse answer) throws Exception {
        StringBuilder shown = new StringBuilder().append(answer.getStatus());
        answer.getHeaderNames().stream()
                .sorted()
                .forEach(name -> shown.append('\n').append(name).append(answer.getHeaders(name)));
        return shown.append('\n').append(answer.getContentAsString()).toString();
    }

    private static MockHttpServletResponse answer(ApplicationContext context, MockHttpServletRequestBuilder request)
            throws Exception {
        return Services.mvc(context).perform(request).andReturn().getResponse();
    }

    private static MockHttpServletRequestBuilder basicOfAlice() {
        return get("/hello").header("Authorization", basic("alice", "wrong"));
    }

    private static MockHttpServletRequestBuilder form(String name, String password) {
        return post("/login").param("username", name).param("password", password);
    }

    private static MockHttpServletRequestBuilder own(String name, String password) {
        return post("/own").param("username", name).param("password", password);
    }

    private static MockHttpServletRequestBuilder login(String name, String password) {
        return post("/auth/token")
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"username\":\"" + name + "\",\"password\":\"" + password + "\"}");
    }

    private static MockHttpServletRequestBuilder refresh(String token) {
        return post("/auth/token")
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"refresh_token\":\"" + token + "\"}");
    }

    private static String refreshToken(MockHttpServletResponse login) throws Exception {
        Matcher token = REFRESH_TOKEN.matcher(login.getContentAsString());
        assertThat(token.find()).isTrue();
        return token.group(1);
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        SecurityFilterChain api(HttpSecurity http, UserDetailsService users) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/own")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .csrf(AbstractHttpConfigurer::disable)
                    .httpBasic(withDefaults())
                    .formLogin(withDefaults())
                    .rememberMe(remembered ->
                            remembered.key("key").alwaysRemember(true).userDetailsService(users))
                    .with(LatchkeyHttpConfigurer.latchkey(), withDefaults())
                    .build();
        }

        @Bean
        Own own(AuthenticationConfiguration managers) throws Exception {
            return new Own(managers.getAuthenticationManager());
        }

        @Bean
        Services.Hello hello() {
            return new Services.Hello();
        }
    }

    @RestController
    record Own(AuthenticationManager manager) {

        @PostMapping("/own")
        String login(@RequestParam("username") String name, @RequestParam("password") String password) {
            try {
                return manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(name, password))
                        .getName();
            } catch (AuthenticationException e) {
                return e.getClass().getSimpleName();
            }
        }
    }
}
