package dev.latchkey.nacos.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.nacos.DefaultToken;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SharedServer.class)
final class TokenIT {

    private final NacosServer server;

    TokenIT(NacosServer server) {
        this.server = server;
    }

    @Test
    void token_isReadFromEachPlaceThatClientsPutItIn() {
        String token = tokenOf("nacos", SharedServer.ADMIN_PASSWORD);

        assertThat(server.http().as(token).config("G", "d").status()).isEqualTo(200);
        assertThat(server.http()
                        .with("Authorization", "Bearer " + token)
                        .config("G", "d")
                        .status())
                .isEqualTo(200);
        assertThat(server.http()
                        .get("/v3/client/cs/config", "groupName", "G", "dataId", "d", "accessToken", token)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void requestWithoutAnything_isRefused() {
        assertThat(server.http().config("G", "d").status()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ".....", " ", "=", "A", "\u00e9"})
    void tokenWithSomethingBehindIt_isRefused(String more) {
        String token = tokenOf("nacos", SharedServer.ADMIN_PASSWORD);

        assertThat(server.http()
                        .get("/v3/client/cs/config", "groupName", "G", "dataId", "d", "accessToken", token + more)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void tokenInTheUrl_doesNotReplaceTheOneInTheHeader() {
        String user = SharedServer.newUser(server, "user-password");
        String mine = tokenOf(user, "user-password");
        String administrators = tokenOf("nacos", SharedServer.ADMIN_PASSWORD);

        assertThat(server.http()
                        .as(mine)
                        .get("/v3/client/cs/config", "groupName", "G", "dataId", "d", "accessToken", administrators)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void tokenEndsAtLogout_andNoOther() {
        String ended = tokenOf("nacos", SharedServer.ADMIN_PASSWORD);
        String other = tokenOf("nacos", SharedServer.ADMIN_PASSWORD);

        assertThat(server.http().as(ended).post("/v3/auth/user/logout").status())
                .isEqualTo(200);
        assertThat(server.http().as(ended).config("G", "d").status()).isEqualTo(403);
        assertThat(server.http().as(ended).post("/v3/auth/user/logout").status())
                .isEqualTo(403);
        assertThat(server.http().as(other).config("G", "d").status()).isEqualTo(200);
    }

    @Test
    void tokenEndsWithItsPassword_andTheNewOneIsGoodAtOnce() {
        String user = SharedServer.newUser(server, "first-password");
        allowAll(user);
        String old = tokenOf(user, "first-password");
        Await.until(
                "the user may read",
                () -> server.http().as(old).config("G", "d").status() == 200);

        SharedServer.admin(server).put("/v3/auth/user", "username", user, "newPassword", "second-password");
        String fresh = tokenOf(user, "second-password");
        // At the latest after the server's next reading of users, every 15 seconds.
        Await.until("the old token has ended", () -> {
            assertThat(server.http().as(fresh).config("G", "d").status()).isEqualTo(200);
            return server.http().as(old).config("G", "d").status() == 403;
        });
        assertThat(server.http().as(fresh).config("G", "d").status()).isEqualTo(200);
    }

    @Test
    void tokenEndsWithItsUser() {
        String user = SharedServer.newUser(server, "user-password");
        allowAll(user);
        String token = tokenOf(user, "user-password");
        Await.until(
                "the user may read",
                () -> server.http().as(token).config("G", "d").status() == 200);

        SharedServer.admin(server).delete("/v3/auth/user", "username", user);
        assertThat(server.http().from("192.0.2.50").login(user, "user-password").status())
                .isEqualTo(403);
        Await.until(
                "the token has ended",
                () -> server.http().as(token).config("G", "d").status() == 403);
    }

    @Test
    void tokenInTheMannerOfTheDefaultPlugin_isRefusedWhereNobodyAskedForThem() {
        assertThat(server.http()
                        .as(DefaultToken.of(
                                "nacos", NacosServer.SECRET, Instant.now().plusSeconds(600)))
                        .config("G", "d")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void noSecret_isInAnyLog() throws Exception {
        String user = SharedServer.newUser(server, "a-password-to-look-for");
        String token = tokenOf(user, "a-password-to-look-for");
        server.http().as(token).config("G", "d");
        server.http().from("192.0.2.51").login(user, "a-wrong-password-to-look-for");

        for (Path log : server.home().logs()) {
            for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
                assertThat(line.contains("password-to-look-for"))
                        .as(log.toString())
                        .isFalse();
                assertThat(line.contains(token)).as(log.toString()).isFalse();
                // The server prints all settings of plugins itself, the key among them.
                boolean ours = !line.contains("NacosServerAuthConfig{");
                assertThat(ours && line.contains(NacosServer.SECRET))
                        .as(log.toString())
                        .isFalse();
            }
        }
    }

    private void allowAll(String user) {
        NacosHttp admin = SharedServer.admin(server);
        String role = "ROLE_OF_" + user;
        assertThat(admin.post("/v3/auth/role", "role", role, "username", user).status())
                .isEqualTo(200);
        admin.post("/v3/auth/permission", "role", role, "resource", "public:*:*", "action", "rw");
    }

    private String tokenOf(String user, String password) {
        return server.http().from("192.0.2.52").login(user, password).token();
    }
}
