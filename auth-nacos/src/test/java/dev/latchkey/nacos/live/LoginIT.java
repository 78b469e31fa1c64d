package dev.latchkey.nacos.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.nacos.live.NacosHttp.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SharedServer.class)
final class LoginIT {

    private final NacosServer server;

    LoginIT(NacosServer server) {
        this.server = server;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v3/auth/user/login", "/v1/auth/users/login", "/v1/auth/login"})
    void login_isAnsweredAsClientsReadIt(String path) {
        Answer answer = server.http().post(path, "username", "nacos", "password", SharedServer.ADMIN_PASSWORD);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Authorization")).isEqualTo("Bearer " + answer.token());
        // The remaining whole seconds, less the seconds on the way.
        assertThat(answer.json().path("tokenTtl").asLong()).isBetween(17_880L, 18_000L);
        assertThat(answer.json().path("globalAdmin").asBoolean()).isTrue();
        assertThat(answer.json().path("username").asText()).isEqualTo("nacos");
    }

    @Test
    void nameInTheUrlAndPasswordInTheBody_asTheClientSendsThem_logIn() {
        assertThat(server.http()
                        .post("/v3/auth/user/login?username=nacos", "password", SharedServer.ADMIN_PASSWORD)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void secondFirstAdministrator_isAConflict() {
        assertThat(server.http()
                        .post("/v3/auth/user/admin", "password", "another1")
                        .json()
                        .path("code")
                        .asInt())
                .isEqualTo(409);
    }

    @Test
    void newUser_logsInAtOnce_andIsNoAdministrator() {
        String user = SharedServer.newUser(server, "Grüße aus Köln");
        Answer answer = server.http().login(user, "Grüße aus Köln");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("globalAdmin").asBoolean()).isFalse();
    }

    @Test
    void wrongPasswordAndUnknownUser_areAnsweredAlike() {
        Answer wrong = server.http().from("192.0.2.10").login("nacos", "not this one");
        Answer unknown = server.http().from("192.0.2.10").login("nobody-of-this-name", "not this one");

        assertThat(wrong.status()).isEqualTo(403);
        assertThat(unknown.status()).isEqualTo(403);
        assertThat(unknown.body()).isEqualTo(wrong.body());
        assertThat(withoutDate(unknown)).isEqualTo(withoutDate(wrong));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void emptyPassword_isRefused(String password) {
        assertThat(server.http().from("192.0.2.11").login("nacos", password).status())
                .isEqualTo(403);
    }

    @Test
    void namesAndPasswordsOfAnyLength_areRefusedAndNoError() {
        assertThat(server.http()
                        .from("192.0.2.12")
                        .login("n".repeat(10_000), "p")
                        .status())
                .isEqualTo(403);
        assertThat(server.http()
                        .from("192.0.2.12")
                        .login("nacos", "p".repeat(100_000))
                        .status())
                .isEqualTo(403);
        assertThat(server.http()
                        .from("192.0.2.12")
                        .login("nacos'--\u0000", "p\u0000")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void guesses_areRefusedAfterFive_andTheOwnerStillGetsIn() {
        String user = SharedServer.newUser(server, "owner-password");
        NacosHttp owner = server.http().from("192.0.2.20");
        assertThat(owner.login(user, "owner-password").status()).isEqualTo(200);

        NacosHttp attacker = server.http().from("192.0.2.21");
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            statuses.add(attacker.login(user, "guess " + i).status());
        }
        assertThat(statuses.subList(0, 5)).containsOnly(403);
        assertThat(statuses.subList(5, 25)).containsOnly(429);

        long begin = System.nanoTime();
        Answer rightAndRefused = attacker.login(user, "owner-password");
        // Held for 200 milliseconds, less or more a half.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(90));
        assertThat(rightAndRefused.status()).isEqualTo(429);
        assertThat(Long.parseLong(rightAndRefused.header("Retry-After"))).isPositive();
        assertThat(owner.login(user, "owner-password").status()).isEqualTo(200);
    }

    @Test
    void guessesWithARequest_meetTheSameLimits() {
        String user = SharedServer.newUser(server, "owner-password");
        NacosHttp attacker = server.http().from("192.0.2.30").with("username", user);
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            statuses.add(attacker.with("password", "guess" + i).config("G", "d").status());
        }

        assertThat(statuses).containsExactly(403, 403, 403, 403, 403, 429, 429, 429);
        Answer refused = attacker.with("password", "one more").config("G", "d");
        assertThat(Long.parseLong(refused.header("Retry-After"))).isPositive();
        assertThat(server.http()
                        .from("192.0.2.30")
                        .login(user, "owner-password")
                        .status())
                .isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v3/auth/user/login/",
                "/v1/auth/users/login/",
                "//v1/auth/users/login",
                "/v1/auth/users/%6cogin/"
            })
    void otherSpellingOfTheLoginPath_letsNobodyIn(String path) {
        Answer answer = server.http().post(path, "username", "nacos", "password", SharedServer.ADMIN_PASSWORD);

        assertThat(answer.body()).doesNotContain("accessToken", "Bearer");
        assertThat(answer.header("Authorization")).isEmpty();
    }

    @Test
    void changedPassword_isTheOnlyOneAtOnce() {
        String user = SharedServer.newUser(server, "first-password");
        assertThat(server.http()
                        .from("192.0.2.40")
                        .login(user, "first-password")
                        .status())
                .isEqualTo(200);
        SharedServer.admin(server).put("/v3/auth/user", "username", user, "newPassword", "second-password");

        assertThat(server.http()
                        .from("192.0.2.40")
                        .login(user, "first-password")
                        .status())
                .isEqualTo(403);
        assertThat(server.http()
                        .from("192.0.2.40")
                        .login(user, "second-password")
                        .status())
                .isEqualTo(200);
    }

    private static Object withoutDate(Answer answer) {
        Map<String, List<String>> fields =
                new TreeMap<>(answer.response().headers().map());
        fields.remove("date");
        return fields;
    }
}
