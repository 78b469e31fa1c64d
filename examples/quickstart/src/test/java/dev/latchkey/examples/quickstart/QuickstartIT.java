package dev.latchkey.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The packaged service over HTTP. One process serves all tests. Each test with changes has an account of its own, so the order
 * does not matter.
 */
@ExtendWith(RunningService.Shared.class)
class QuickstartIT {

    private static final String ALICE = "wonderland-tea-party";
    private static final String BOB = "can-we-fix-it-yes-we-can";
    private static final String CAROL = "a-carol-for-every-season";
    private static final String ADMIN = "keeper-of-the-latchkeys";
    private static final String API_KEY = RunningService.API_KEY;

    static Path folder;
    static ServiceProcess service;
    static Client client;

    @BeforeAll
    static void share(RunningService running) {
        folder = running.folder();
        service = running.process();
        client = running.client();
    }

    @Test
    void login_givesATokenThatOpensTheApi() throws Exception {
        HttpResponse<String> login = client.login("alice", ALICE);
        assertThat(login.statusCode()).isEqualTo(200);
        assertThat(login.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(login.body()).contains("\"token_type\":\"Bearer\"", "\"expires_in\":3600");

        HttpResponse<String> me = client.meWithToken(client.tokenOf("alice", ALICE));
        assertThat(me.statusCode()).isEqualTo(200);
        assertThat(me.body()).isEqualTo("{\"name\":\"alice\",\"authorities\":[\"ROLE_USER\"]}");
    }

    @Test
    void basic_opensTheApi() throws Exception {
        HttpResponse<String> me = client.meWithBasic("alice", ALICE);
        assertThat(me.statusCode()).isEqualTo(200);
        assertThat(me.body()).contains("\"name\":\"alice\"");
    }

    @Test
    void basicAfterTheFirst_doesNotPayTheHash() throws Exception {
        String token = client.tokenOf("alice", ALICE);
        client.meWithBasic("alice", ALICE);
        double before = hashes(token);
        for (int i = 0; i < 5; i++) {
            assertThat(client.meWithBasic("alice", ALICE).statusCode()).isEqualTo(200);
        }
        assertThat(hashes(token)).isEqualTo(before);
        client.meWithBasic("nobody-who-is-known", "not-the-password");
        assertThat(hashes(token)).isGreaterThan(before);
    }

    @Test
    void pluginOfAThirdParty_isPickedUpByItsJarAndName() throws Exception {
        HttpResponse<String> me = client.getWith("X-API-Key", API_KEY);
        assertThat(me.statusCode()).isEqualTo(200);
        assertThat(me.body()).isEqualTo("{\"name\":\"reporting\",\"authorities\":[\"ROLE_REPORTS\"]}");
        assertThat(client.getWith("X-API-Key", API_KEY + "0").statusCode()).isEqualTo(401);
    }

    @Test
    void unknownUser_getsTheAnswerOfAWrongPassword() throws Exception {
        HttpResponse<String> wrong = client.login("alice", "not-the-password");
        HttpResponse<String> unknown = client.login("nobody-of-this-name", "not-the-password");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(unknown.body()).isEqualTo(wrong.body());
        assertThat(comparable(unknown)).isEqualTo(comparable(wrong));
        assertThat(client.meWithBasic("nobody-of-this-name", "x").statusCode()).isEqualTo(401);
    }

    @Test
    void tamperedToken_isRefused() throws Exception {
        String token = client.tokenOf("alice", ALICE);
        int middle = token.indexOf('.') + 5;
        char other = token.charAt(middle) == 'A' ? 'B' : 'A';
        String tampered = token.substring(0, middle) + other + token.substring(middle + 1);
        assertThat(client.meWithToken(tampered).statusCode()).isEqualTo(401);
        assertThat(client.meWithToken(token.substring(0, token.lastIndexOf('.') + 1))
                        .statusCode())
                .isEqualTo(401);
        assertThat(client.meWithToken("").statusCode()).isEqualTo(401);
    }

    @Test
    void tokenInTheUrl_opensNothing_andNeverWinsOverTheHeader() throws Exception {
        String token = client.tokenOf("alice", ALICE);
        for (String parameter : List.of("access_token", "accessToken", "token")) {
            String path = "/api/me?" + parameter + "=" + token;
            assertThat(client.send(client.request(path)).statusCode()).isEqualTo(401);
            assertThat(client.send(client.request(path).header("Authorization", "Bearer x.y.z"))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void headerThatIsNoCredential_opensNothing() throws Exception {
        Map<String, String> headers = Map.of(
                "User-Agent", "Nacos-Server", "X-Forwarded-For", "127.0.0.1", "X-User", "admin", "serverIdentity", "x");
        for (Map.Entry<String, String> header : headers.entrySet()) {
            assertThat(client.getWith(header.getKey(), header.getValue()).statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void oldPassword_isRefusedAtOnceAfterAChange_andSoAreOldTokens() throws Exception {
        String changed = "we-fixed-it-and-it-holds";
        String oldToken = client.tokenOf("bob", BOB);
        assertThat(client.meWithBasic("bob", BOB).statusCode()).isEqualTo(200);

        HttpResponse<String> change = client.send(client.request("/api/me/password")
                .header("Authorization", "Bearer " + oldToken)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(
                        "{\"oldPassword\":\"%s\",\"newPassword\":\"%s\"}".formatted(BOB, changed))));
        assertThat(change.statusCode()).isEqualTo(204);

        assertThat(client.meWithBasic("bob", BOB).statusCode()).isEqualTo(401);
        assertThat(client.login("bob", BOB).statusCode()).isEqualTo(401);
        assertThat(client.meWithToken(oldToken).statusCode()).isEqualTo(401);
        assertThat(client.meWithBasic("bob", changed).statusCode()).isEqualTo(200);
        assertThat(client.meWithToken(client.tokenOf("bob", changed)).statusCode())
                .isEqualTo(200);
    }

    @Test
    void loggedOutToken_isRefused_andOthersOfTheAccountStay() throws Exception {
        String mine = client.tokenOf("alice", ALICE);
        String other = client.tokenOf("alice", ALICE);
        HttpResponse<String> logout = client.send(client.request("/auth/logout")
                .header("Authorization", "Bearer " + mine)
                .POST(BodyPublishers.noBody()));
        assertThat(logout.statusCode()).isEqualTo(204);
        assertThat(client.meWithToken(mine).statusCode()).isEqualTo(401);
        assertThat(client.meWithToken(other).statusCode()).isEqualTo(200);
    }

    @Test
    void disabledAccount_isRefusedEverywhereAtOnce() throws Exception {
        String token = client.tokenOf("carol", CAROL);
        assertThat(client.meWithBasic("carol", CAROL).statusCode()).isEqualTo(200);
        assertThat(disable("carol", client.tokenOf("alice", ALICE))).isEqualTo(403);
        assertThat(disable("carol", client.tokenOf("admin", ADMIN))).isEqualTo(204);

        assertThat(client.meWithBasic("carol", CAROL).statusCode()).isEqualTo(401);
        assertThat(client.meWithToken(token).statusCode()).isEqualTo(401);
        HttpResponse<String> login = client.login("carol", CAROL);
        HttpResponse<String> wrong = client.login("alice", "not-the-password");
        assertThat(login.statusCode()).isEqualTo(401);
        assertThat(login.body()).isEqualTo(wrong.body());
        assertThat(comparable(login)).isEqualTo(comparable(wrong));
    }

    @Test
    void bodyThatIsNoLogin_isABadRequest() throws Exception {
        List<String> bodies = List.of(
                "",
                "{",
                "[]",
                "null",
                "{\"username\":\"alice\"}",
                "{\"username\":\"alice\",\"password\":1}",
                "{\"username\":{\"$ne\":1},\"password\":\"x\"}",
                "{\"username\":\"alice\",\"password\":\"\\ud800\"}",
                "username=alice&password=x");
        for (String body : bodies) {
            assertThat(client.postJson("/auth/token", body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
        HttpResponse<String> text = client.send(client.request("/auth/token")
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("username=alice&password=" + ALICE)));
        assertThat(text.statusCode()).isEqualTo(415);
    }

    @Test
    void bodyOfAMegabyte_isRefusedUnread() throws Exception {
        String large = "{\"username\":\"alice\",\"password\":\"" + "x".repeat(1 << 20) + "\"}";
        HttpResponse<String> response = client.postJson("/auth/token", large);
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    }

    @Test
    void keys_areReadableByTheirOwnerOnly() throws IOException {
        for (String key : List.of("signing.key", "codes.key", "passkeys.key")) {
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(folder.resolve("data").resolve(key))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void commandsOfTheReadme_doWhatItSays() throws Exception {
        assertThat(ReadmeCommands.play(client)).containsExactly(200, 204, 403, 200, 401, 401, 200, 200);
    }

    @Test
    void log_holdsNoSecret() throws Exception {
        String token = client.tokenOf("alice", ALICE);
        client.meWithToken(token);
        client.meWithToken(token + "x");
        client.login("admin", ADMIN);
        client.login("alice", "a-guess-that-is-wrong");
        client.meWithBasic("admin", ADMIN);
        client.getWith("X-API-Key", API_KEY);
        String key = Files.readString(folder.resolve("data").resolve("signing.key"));
        String codesKey = Files.readString(folder.resolve("data").resolve("codes.key"));
        String passkeysKey = Files.readString(folder.resolve("data").resolve("passkeys.key"));
        String signature = token.substring(token.lastIndexOf('.'));
        assertThat(service.output())
                .contains("Auth plugins, in order: [users, jwt, api-key, one-time-codes, passkeys, permissions]")
                .doesNotContain(
                        key, codesKey, passkeysKey, ADMIN, "a-guess-that-is-wrong", API_KEY, signature, "$2a$10$");
    }

    private static int disable(String name, String token) throws Exception {
        return client.send(client.request("/api/admin/accounts/" + name + "/disable")
                        .header("Authorization", "Bearer " + token)
                        .POST(BodyPublishers.noBody()))
                .statusCode();
    }

    /** All header fields without the time, and without the end of a connection after a hundred requests. */
    private static Map<String, List<String>> comparable(HttpResponse<String> response) {
        Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
        headers.remove("date");
        headers.remove("connection");
        return headers;
    }

    private static double hashes(String token) throws Exception {
        return Client.count(client.counts(token), "hashes");
    }
}
