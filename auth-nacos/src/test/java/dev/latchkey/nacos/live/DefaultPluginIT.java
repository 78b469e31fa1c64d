package dev.latchkey.nacos.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.nacos.DefaultToken;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The statements of README.md about the server's default plugin. A failure with another server means that README.md is wrong
 * about this server.
 */
final class DefaultPluginIT {

    private static final String KEY = "nacos.core.auth.plugin.nacos.token.secret.key";
    private static final String OTHER_SECRET = "Zm9yIHRoZSByb3RhdGlvbiBpbiB0aGVzZSB0ZXN0cyEhMTIzNA==";

    private static final String FIRST = "first-password";

    private static NacosServer server;
    private static String changed;
    private static String deleted;

    @BeforeAll
    static void start() {
        server = SharedServer.withAdmin(
                NacosServer.fresh(NacosServer.Kind.DEFAULT).start());
        Await.until("it knows its administrator", () -> isLogin("nacos", SharedServer.ADMIN_PASSWORD));
        changed = newUser();
        deleted = newUser();
        Await.until("it knows its users", () -> isLogin(changed, FIRST) && isLogin(deleted, FIRST));
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void wrongPasswordAndUnknownUser_areDistinguished() {
        NacosHttp.Answer wrong = login("nacos", "wrong");
        NacosHttp.Answer unknown = login("nobody-of-this-name", "wrong");

        assertThat(List.of(wrong.status(), unknown.status())).containsExactly(500, 403);
    }

    @Test
    void guesses_areNotLimited() {
        for (int i = 0; i < 12; i++) {
            assertThat(login("nacos", "guess " + i).status()).isEqualTo(500);
        }
        assertThat(login("nacos", SharedServer.ADMIN_PASSWORD).status()).isEqualTo(200);
    }

    /** The server reads its users every 15 seconds: at least one of several trials falls between two readings. */
    @Test
    void newUser_isRefusedUntilTheServerHasReadItsUsersAgain() {
        AtomicReference<String> user = new AtomicReference<>("");
        Await.until("a new user is refused", () -> {
            user.set(newUser());
            return login(user.get(), FIRST).status() == 403;
        });

        Await.until("the new user logs in", () -> isLogin(user.get(), FIRST));
    }

    @Test
    void changedPassword_leavesTheOldOneForSeconds_andTheOldTokenForAsLongAsItLives() {
        String token = login(changed, FIRST).token();
        AtomicInteger count = new AtomicInteger();
        AtomicReference<String> password = new AtomicReference<>(FIRST);
        Await.until("the password before logs in", () -> {
            String before = password.getAndSet("password-" + count.incrementAndGet());
            assertThat(server.http()
                            .as(token)
                            .put("/v3/auth/user", "username", changed, "newPassword", password.get())
                            .status())
                    .isEqualTo(200);
            return isLogin(changed, before);
        });

        Await.until("the new password counts", () -> isLogin(changed, password.get()));
        assertThat(server.http()
                        .as(token)
                        .put("/v3/auth/user", "username", changed, "newPassword", "by-the-old-token")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void deletedUser_keepsTheToken() {
        NacosHttp admin = admin();
        admin.post("/v3/auth/role", "role", "ROLE_OF_" + deleted, "username", deleted);
        admin.post("/v3/auth/permission", "role", "ROLE_OF_" + deleted, "resource", "public:*:*", "action", "rw");
        String token = login(deleted, FIRST).token();
        Await.until(
                "he may read", () -> server.http().as(token).config("G", "d").status() == 200);

        admin.delete("/v3/auth/user", "username", deleted);
        Await.until("his password is none", () -> !isLogin(deleted, FIRST));
        assertThat(server.http().as(token).config("G", "d").status()).isEqualTo(200);
    }

    @Test
    void tokenFollowedByDots_isAccepted() {
        String token = login("nacos", SharedServer.ADMIN_PASSWORD).token();

        assertThat(server.http().as(token + ".....").config("G", "d").status()).isEqualTo(200);
    }

    @Test
    void administrator_mayNotChangeAnotherUsersPassword() {
        assertThat(admin().put("/v3/auth/user", "username", newUser(), "newPassword", "changed")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void logout_isNone() {
        String token = login("nacos", SharedServer.ADMIN_PASSWORD).token();
        server.http().as(token).post("/v3/auth/user/logout");

        assertThat(server.http().as(token).config("G", "d").status()).isEqualTo(200);
    }

    @Test
    void tokenWithAType_isRefused() {
        Instant end = Instant.now().plusSeconds(600);
        String plain = DefaultToken.of("nacos", NacosServer.SECRET, end);
        String typed = DefaultToken.withHeader("{\"alg\":\"HS256\",\"typ\":\"JWT\"}", "nacos", NacosServer.SECRET, end);

        assertThat(server.http().as(plain).config("G", "d").status()).isEqualTo(200);
        assertThat(server.http().as(typed).config("G", "d").status()).isEqualTo(403);
    }

    @Test
    void anotherKey_endsAllTokens() {
        String token = login("nacos", SharedServer.ADMIN_PASSWORD).token();
        server.set(KEY, OTHER_SECRET).writeProperties();
        try {
            Await.until(
                    "the old token has ended",
                    () -> server.http().as(token).config("G", "d").status() == 403);
        } finally {
            server.set(KEY, NacosServer.SECRET).writeProperties();
            Await.until(
                    "the first key counts again",
                    () -> server.http().as(token).config("G", "d").status() == 200);
        }
    }

    private static NacosHttp.Answer login(String username, String password) {
        return server.http().login(username, password);
    }

    private static boolean isLogin(String username, String password) {
        return login(username, password).status() == 200;
    }

    private static NacosHttp admin() {
        return server.http().as(login("nacos", SharedServer.ADMIN_PASSWORD).token());
    }

    private static String newUser() {
        return SharedServer.newUser(server, FIRST);
    }
}
