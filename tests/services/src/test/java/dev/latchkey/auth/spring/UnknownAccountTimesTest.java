package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;

/** Accounts that differ for an attacker: each kind of answer costs equally many hashes. */
class UnknownAccountTimesTest {

    private static GuardServer server;

    @BeforeAll
    static void start() {
        server = GuardServer.start(
                Service.class,
                "--latchkey.login.enabled=true",
                "--latchkey.jwt.secret=" + Services.KEY,
                "--latchkey.plugins=users",
                GuardServer.NO_RESOURCE_SERVER);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void warmUp() throws Exception {
        assertThat(server.get("/hello", "known", "right", "192.0.2.1").statusCode())
                .isEqualTo(200);
        Service.HASHES.set(0);
    }

    @Test
    void emptyPassword_costsAnUnknownNameWhatItCostsAKnownOne() throws Exception {
        assertThat(hashesOf("known", "", "198.51.100.10")).isEqualTo(hashesOf("unknown", "", "198.51.100.11"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"locked", "disabled"})
    void rightPasswordOfARefusedAccount_costsAHashEachTime_byBasic(String name) throws Exception {
        // Asked about on a line of Spring Security that compares it at all.
        int wrong = hashesOf(name, "wrong", "198.51.100.20");
        assertThat(hashesOf(name, "right", "198.51.100.21")).isEqualTo(wrong);
        assertThat(hashesOf(name, "right", "198.51.100.21")).isEqualTo(wrong);
        assertThat(hashesOf(name, "right", "198.51.100.22")).isEqualTo(wrong);
    }

    @ParameterizedTest
    @ValueSource(strings = {"locked", "disabled"})
    void rightPasswordOfARefusedAccount_costsAHashEachTime_atTheLoginEndpoint(String name) throws Exception {
        for (int i = 0; i < 3; i++) {
            Service.HASHES.set(0);
            assertThat(server.login(name, "right").join().statusCode()).isEqualTo(401);
            assertThat(Service.HASHES).hasValue(1);
        }
    }

    /** Two providers of one chain have a dummy hash each, made by one encoder bean. */
    @Test
    void unknownNames_areNoAccountThatIsExhausted() throws Exception {
        for (int i = 0; i < 9; i++) {
            assertThat(server.get("/hello", "nobody" + i, "wrong" + i, "198.51.100.30")
                            .statusCode())
                    .isEqualTo(401);
        }
        assertThat(server.get("/hello", "staff", "right", "198.51.100.30").statusCode())
                .isEqualTo(200);
    }

    /** As BCrypt takes a password that is repeated behind a NUL, or goes on after its 72 bytes. */
    @Test
    void manyTextsOfOnePassword_costSoManyHashesAndNoMore() throws Exception {
        int passed = 0;
        int last = 200;
        long begun = System.nanoTime();
        while (last == 200) {
            last = server.get("/hello", "prolific", "right" + "+".repeat(passed), "192.0.2.77")
                    .statusCode();
            passed += last == 200 ? 1 : 0;
        }
        assertThat(last).isEqualTo(429);
        // One more each second: how many that are is the machine's.
        assertThat((long) passed).isBetween(30L, 75 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
    }

    private static int hashesOf(String name, String password, String from) throws Exception {
        Service.HASHES.set(0);
        assertThat(server.get("/hello", name, password, from).statusCode()).isEqualTo(401);
        return Service.HASHES.get();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        static final AtomicInteger HASHES = new AtomicInteger();

        @Bean
        PasswordEncoder encoder() {
            HashingProbe probe = new HashingProbe();
            return new PasswordEncoder() {
                @Override
                public String encode(CharSequence rawPassword) {
                    return probe.encode(rawPassword);
                }

                @Override
                public boolean matches(CharSequence rawPassword, String encodedPassword) {
                    if (rawPassword.length() == 0) {
                        return false;
                    }
                    HASHES.incrementAndGet();
                    return probe.matches(rawPassword.toString().replaceAll("\\++$", ""), encodedPassword);
                }
            };
        }

        @Bean
        UserDetailsService users() {
            return name -> Map.of("known", 0, "locked", 1, "disabled", 2, "prolific", 3)
                            .containsKey(name)
                    ? user(name)
                    : none(name);
        }

        private static UserDetailsService staff() {
            return name -> name.equals("staff") ? user(name) : none(name);
        }

        private static org.springframework.security.core.userdetails.UserDetails user(String name) {
            return User.withUsername(name)
                    .password(HashingProbe.stored(name, "right"))
                    .accountLocked(name.equals("locked"))
                    .disabled(name.equals("disabled"))
                    .roles("USER")
                    .build();
        }

        private static org.springframework.security.core.userdetails.UserDetails none(String name) {
            throw new UsernameNotFoundException(name);
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http, PasswordEncoder encoder, UserDetailsService users)
                throws Exception {
            DaoAuthenticationProvider first = new DaoAuthenticationProvider(users);
            first.setPasswordEncoder(encoder);
            DaoAuthenticationProvider second = new DaoAuthenticationProvider(staff());
            second.setPasswordEncoder(encoder);
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .authenticationProvider(first)
                    .authenticationProvider(second)
                    .httpBasic(basic -> {})
                    .with(LatchkeyHttpConfigurer.latchkey(), latchkey -> {})
                    .build();
        }

        @Bean
        GuardServerTest.Endpoints endpoints() {
            return new GuardServerTest.Endpoints();
        }
    }
}
