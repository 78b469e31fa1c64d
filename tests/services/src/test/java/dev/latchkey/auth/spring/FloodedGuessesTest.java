package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.WaitingThreads;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Guesses without a free hash: one hash lasts as long as the test wants, the maximum of logins waits, and all other logins are
 * rejected at once.
 */
class FloodedGuessesTest {

    private static final int AT_KNOWN_CLIENT = 7;

    /** Than one account may cost from one source. */
    private static final int MORE_THAN_HASHES_A_MINUTE = 70;

    private static final HashingProbe PROBE = new HashingProbe();

    private static GuardServer server;
    private static int floods;

    private final List<CompletableFuture<HttpResponse<String>>> flood = new ArrayList<>();

    /** A way in. */
    enum Way {
        BASIC("203.0.113."),
        ENDPOINT("203.0.114.");

        private final String network;

        Way(String network) {
            this.network = network;
        }

        HttpResponse<String> login(String name, String password, String from) throws Exception {
            return this == BASIC
                    ? server.get("/hello", name, password, from)
                    : server.login(name, password, from).join();
        }

        int status(String name, String password, String from) throws Exception {
            return login(name, password, from).statusCode();
        }

        /** An account of this test and way alone. */
        String account(String name) {
            return name + "-" + this;
        }

        /** An address that no other test and no other way has. */
        String client(int host) {
            return network + host;
        }
    }

    @BeforeAll
    static void start() {
        server = GuardServer.start(
                Service.class,
                "--latchkey.guard.permits=1",
                "--latchkey.guard.refusals.delay=1ms",
                "--latchkey.guard.limits.known-client[0].tokens=" + AT_KNOWN_CLIENT,
                "--latchkey.guard.limits.known-client[0].per=1d",
                "--latchkey.login.enabled=true",
                "--latchkey.jwt.secret=" + Services.KEY,
                GuardServer.NO_RESOURCE_SERVER);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void letGo() {
        endFlood();
        PROBE.forget();
    }

    /** The known client has a budget of failures for this account. A guess without a hash takes from the budget. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void guessesWhereTheOwnerHasLoggedIn_areCountedAsWithoutTheFlood(Way way) throws Exception {
        String owner = way.account("shared-place");
        assertThat(way.status(owner, "right", way.client(1))).isEqualTo(200);
        assertThat(way.status(owner, "right", way.client(2))).isEqualTo(200);
        beginFlood();
        for (int i = 0; i < AT_KNOWN_CLIENT; i++) {
            assertThat(way.status(owner, "guess" + i, way.client(1))).isEqualTo(503);
        }
        assertThat(way.status(owner, "one more", way.client(1))).isEqualTo(429);
        assertThat(way.status(owner, "right", way.client(1))).isEqualTo(429);
        assertThat(way.status(owner, "right", way.client(2))).isEqualTo(200);
    }

    /** Nothing is counted, since nothing is told: the right password waits for a hash as a wrong one does. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void guessesFromElsewhere_areAllAnsweredAlike_theRightOneToo(Way way) throws Exception {
        String remembered = way.account("remembered");
        assertThat(way.status(remembered, "right", way.client(3))).isEqualTo(200);
        beginFlood();
        Set<String> answers = new HashSet<>();
        for (int i = 0; i < MORE_THAN_HASHES_A_MINUTE; i++) {
            answers.add(shown(way.login(remembered, "guess" + i, way.client(4))));
        }
        answers.add(shown(way.login(remembered, "right", way.client(4))));
        answers.add(shown(way.login(way.account("not-remembered"), "right", way.client(5))));
        answers.add(shown(way.login("unknown", "right", way.client(6))));
        assertThat(answers).singleElement().asString().startsWith("503 ");
        assertThat(way.status(remembered, "right", way.client(3)))
                .as("the owner, where he has logged in")
                .isEqualTo(200);
        endFlood();
        assertThat(way.status(remembered, "right", way.client(4))).isEqualTo(200);
    }

    /** A fleet with a shared account, or a user with a new address each day, waits for nothing without a flood. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void rightPasswordFromElsewhere_costsNoHash_whileOneWouldBeginAtOnce(Way way) throws Exception {
        String owner = way.account("moving");
        assertThat(way.status(owner, "right", way.client(21))).isEqualTo(200);
        PROBE.forget();
        for (int client = 22; client < 30; client++) {
            assertThat(way.status(owner, "right", way.client(client))).isEqualTo(200);
        }
        assertThat(PROBE.begun.availablePermits()).as("hashes").isZero();
    }

    /** A forgotten owner pays a single guess, for any number of attempts. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void ownerWhoIsNotRememberedAnyMore_isNotLockedOutByTheFlood(Way way) throws Exception {
        String owner = way.account("forgotten");
        assertThat(way.status(owner, "right", way.client(7))).isEqualTo(200);
        server.bean(CredentialCache.class).evictAll();
        beginFlood();
        for (int i = 0; i < MORE_THAN_HASHES_A_MINUTE; i++) {
            assertThat(way.status(owner, "right", way.client(7))).isEqualTo(503);
        }
        endFlood();
        assertThat(way.status(owner, "right", way.client(7))).isEqualTo(200);
    }

    /** Where an account has logged in from, whether its password is remembered now is not to be seen. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void rememberedAccount_isNotToldFromOneThatIsNotAnyMore(Way way) throws Exception {
        String forgotten = way.account("told-forgotten");
        String remembered = way.account("told-remembered");
        assertThat(way.status(forgotten, "right", way.client(8))).isEqualTo(200);
        server.bean(CredentialCache.class).evictAll();
        assertThat(way.status(remembered, "right", way.client(8))).isEqualTo(200);
        beginFlood();
        for (int i = 0; i < 2 * AT_KNOWN_CLIENT; i++) {
            assertThat(shown(way.login(remembered, "guess" + i, way.client(8))))
                    .isEqualTo(shown(way.login(forgotten, "guess" + i, way.client(8))));
        }
    }

    /** No flood is needed to have no hash computed: the account's own, for this source, are used up by one wrong password. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void guessesThatTheAccountHasNoHashLeftFor_areCountedToo(Way way) throws Exception {
        String owner = way.account("used-up");
        assertThat(way.status(owner, "right", way.client(9))).isEqualTo(200);
        for (int i = 0; i < MORE_THAN_HASHES_A_MINUTE; i++) {
            assertThat(way.status(owner, "old", way.client(9))).isIn(401, 429);
        }
        for (int i = 0; i < 3 * AT_KNOWN_CLIENT; i++) {
            assertThat(way.status(owner, "guess" + i, way.client(9))).isIn(401, 429);
        }
        assertThat(way.status(owner, "right", way.client(9))).isEqualTo(429);
    }

    private void beginFlood() throws Exception {
        PROBE.forget();
        PROBE.gate = new CountDownLatch(1);
        // New names each time: who has logged in once is remembered.
        String name = "flood" + ++floods + "-";
        flood.add(server.getLater("/hello", name + "first", "right"));
        PROBE.begun.acquire();
        flood.addAll(IntStream.range(0, 10)
                .mapToObj(i -> server.getLater("/hello", name + i, "right"))
                .toList());
        WaitingThreads waiting = server.bean(WaitingThreads.class);
        until(() -> waiting.waiting() == waiting.most());
    }

    private void endFlood() {
        PROBE.gate.countDown();
        flood.forEach(CompletableFuture::join);
        flood.clear();
    }

    /** All that a client gets to see, but for what counts down. */
    private static String shown(HttpResponse<String> answer) {
        TreeMap<String, List<String>> fields = new TreeMap<>(answer.headers().map());
        // The last is said with every hundredth answer of a connection, whatever it is.
        List.of("date", "retry-after", "ratelimit", "ratelimit-policy", "connection")
                .forEach(fields::remove);
        return answer.statusCode() + " " + fields + answer.body();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        PasswordEncoder encoder() {
            return PROBE;
        }

        @Bean
        UserDetailsService users() {
            return name -> {
                if (name.equals("unknown")) {
                    throw new UsernameNotFoundException(name);
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
