package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.ManualTime;
import java.net.http.HttpRequest;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.PasswordEncoder;

/** What failures spend: the same of an account as of a name that no account has, and nothing of a known client elsewhere. */
class CountedAlikeTest {

    private static final String OWNERS = "Browser of the owner";
    private static final String ATTACKERS = "curl";
    private static final int MORE_THAN_ANY_BUDGET = 400;

    private static final ManualTime TIME = new ManualTime();
    private static GuardServer behindAnUnknownProxy;
    private static GuardServer direct;
    private static int addresses;

    /** A way in. */
    enum Way {
        BASIC,
        ENDPOINT
    }

    @BeforeAll
    static void start() {
        behindAnUnknownProxy = service("--latchkey.guard.trusted-proxies=");
        direct = service("--latchkey.guard.trusted-proxies=127.0.0.0/8");
    }

    private static GuardServer service(String proxies) {
        return GuardServer.start(
                WebApplicationType.SERVLET,
                Service.class,
                proxies,
                // The clock of the limits stands still, and nothing would send what is held.
                "--latchkey.guard.refusals.delay=0s",
                "--latchkey.login.enabled=true",
                "--latchkey.jwt.secret=" + Services.KEY,
                GuardServer.NO_RESOURCE_SERVER);
    }

    @AfterAll
    static void stop() {
        behindAnUnknownProxy.close();
        direct.close();
    }

    @BeforeEach
    void refill() {
        TIME.advance(java.time.Duration.ofDays(60));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void oneWrongPasswordAgainAndAgain_isAnsweredAsOftenForANameThatNobodyHas(Way way) throws Exception {
        assertCountedAlike(way, attempt -> "old");
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void wrongPasswords_areAnsweredAsOftenForANameThatNobodyHas(Way way) throws Exception {
        assertCountedAlike(way, attempt -> "guess" + attempt);
    }

    private void assertCountedAlike(Way way, IntFunction<String> passwords) throws Exception {
        int account = answered(behindAnUnknownProxy, way, "account", passwords);
        refill();
        int nobody = answered(behindAnUnknownProxy, way, "nobody", passwords);
        assertThat(account)
                .as("behind an unknown proxy")
                .isBetween(2, MORE_THAN_ANY_BUDGET - 1)
                .isEqualTo(nobody);
        account = answered(direct, way, "account", passwords);
        refill();
        nobody = answered(direct, way, "nobody", passwords);
        assertThat(account)
                .as("from one address")
                .isBetween(2, MORE_THAN_ANY_BUDGET - 1)
                .isEqualTo(nobody);
    }

    /** How often the answer is 401 before it is 429, from an address of its own. */
    private static int answered(GuardServer server, Way way, String name, IntFunction<String> passwords)
            throws Exception {
        String address = "203.0.113." + ++addresses;
        for (int i = 0; i < MORE_THAN_ANY_BUDGET; i++) {
            int status = status(server, way, name + "-" + address, passwords.apply(i), ATTACKERS, address);
            if (status != 401) {
                assertThat(status).isEqualTo(429);
                return i;
            }
        }
        return MORE_THAN_ANY_BUDGET;
    }

    /** An account with a password that is not cached any more, so that a login takes a hash. */
    @Test
    void repeatedWrongPassword_costsTheOwnerAtAKnownClientNothing() throws Exception {
        String owner = "account-of-owner";
        assertThat(status(behindAnUnknownProxy, Way.BASIC, owner, "right", OWNERS, ""))
                .isEqualTo(200);
        for (int i = 0; i < MORE_THAN_ANY_BUDGET; i++) {
            status(behindAnUnknownProxy, Way.BASIC, owner, "old", ATTACKERS, "");
        }
        assertThat(status(behindAnUnknownProxy, Way.BASIC, owner, "old", ATTACKERS, ""))
                .isEqualTo(429);
        for (int i = 0; i < 12; i++) {
            behindAnUnknownProxy.bean(CredentialCache.class).evictAll();
            assertThat(status(behindAnUnknownProxy, Way.BASIC, owner, "right", OWNERS, ""))
                    .isEqualTo(200);
        }
    }

    private static int status(GuardServer server, Way way, String name, String password, String agent, String address)
            throws Exception {
        HttpRequest.Builder request = way == Way.BASIC
                ? server.request("/hello").header("Authorization", GuardServer.basic(name, password))
                : server.loginRequest(name, password);
        if (!address.isEmpty()) {
            request.header("X-Forwarded-For", address);
        }
        return server.send(request.header("User-Agent", agent)).statusCode();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean(destroyMethod = "")
        GuardTime time() {
            return TIME;
        }

        @Bean
        PasswordEncoder encoder() {
            return new HashingProbe();
        }

        @Bean
        UserDetailsService users() {
            return name -> {
                if (!name.startsWith("account")) {
                    throw new UsernameNotFoundException("There is no such account");
                }
                return User.withUsername(name)
                        .password(HashingProbe.stored(name, "right"))
                        .roles("USER")
                        .build();
            };
        }

        @Bean
        GuardServerTest.Endpoints endpoints() {
            return new GuardServerTest.Endpoints();
        }
    }
}
