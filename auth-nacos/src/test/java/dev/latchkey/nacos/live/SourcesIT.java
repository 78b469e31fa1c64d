package dev.latchkey.nacos.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.nacos.api.config.ConfigService;
import com.fasterxml.jackson.databind.JsonNode;
import com.unboundid.ldap.sdk.LDAPConnection;
import dev.latchkey.examples.apikey.ApiKeyPluginFactory;
import dev.latchkey.nacos.AuthenticatorApp;
import dev.latchkey.nacos.Directory;
import dev.latchkey.nacos.live.NacosHttp.Answer;
import dev.latchkey.nacos.oidc.Issuer;
import dev.latchkey.plugins.ldap.LdapPluginFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's users, a directory, an issuer of tokens and a third party's plugin in one server. */
final class SourcesIT {

    private static final String KEY = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    private static final Directory DIRECTORY = Directory.start()
            .with("ada", "password-of-ada", "payments", "developers")
            .with("carl", "password-of-carl", "none", "chiefs")
            .with("nacos", "password-of-another-nacos", "none")
            .with("eve", "password-of-eve", "none")
            .with("mallory", "password-of-mallory", "none")
            .with("leaver", "password-of-leaver", "none", "developers")
            .with("mover", "password-of-mover", "none", "developers")
            .with("ina", "password-of-ina", "none", "developers");

    private static final Issuer ISSUER = Issuer.start();

    @TempDir
    private static Path folder;

    private static NacosServer server;

    @BeforeAll
    static void start() throws Exception {
        Path keys = folder.resolve("keys");
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(StandardCharsets.US_ASCII));
        Files.writeString(keys, "robot " + HexFormat.of().formatHex(digest) + " ROLE_ROBOT\n");
        Path codes = Files.writeString(
                folder.resolve("codes"),
                "coded " + AuthenticatorApp.SECRET + "\nldap:ina " + AuthenticatorApp.SECRET + "\n");
        server = NacosServer.fresh(NacosServer.Kind.LATCHKEY)
                .beside(LdapPluginFactory.class)
                .beside(LDAPConnection.class)
                .beside(ApiKeyPluginFactory.class)
                .setOwn("sources", "users,ldap,oidc,api-key,codes")
                .setOwn("plugin.codes.file", codes.toString())
                .setOwn("plugin.oidc.issuer", ISSUER.url())
                .setOwn("plugin.oidc.audience", Issuer.AUDIENCE)
                .setOwn("plugin.api-key.file", keys.toString())
                .setOwn("role.readers", "ldap:ROLE_DEVELOPERS, oidc:SCOPE_config.read, api-key:ROLE_ROBOT")
                .setOwn("role.ROLE_ADMIN", "ldap:ROLE_CHIEFS")
                // In the spelling of Nacos 3.2.
                .set("nacos.plugin.auth.latchkey.trusted.proxies", "127.0.0.1")
                .setOwn("refusal.delay.millis", "200");
        DIRECTORY.settings().forEach((key, value) -> server.setOwn("plugin.ldap." + key, value));
        SharedServer.withAdmin(server.start());
        NacosHttp admin = SharedServer.admin(server);
        // The server makes a role with its first user alone.
        String reader = SharedServer.newUser(server, "local-password");
        admin.post("/v3/auth/role", "role", "readers", "username", reader);
        admin.post("/v3/auth/permission", "role", "readers", "resource", "public:ORDERS*:*", "action", "r");
        admin.publish("ORDERS", "d", "orders");
        admin.publish("G", "d", "others");
        NacosHttp local = session(server.http().login(reader, "local-password"));
        Await.until("the role counts", () -> local.config("ORDERS", "d").status() == 200);
    }

    @AfterAll
    static void end() {
        server.close();
        DIRECTORY.close();
        ISSUER.close();
    }

    @Test
    void accountOfTheDirectory_mayWhatItsGroupsRolesMay_andNoMore() {
        Answer login = server.http().login("ada", "password-of-ada");
        assertThat(login.json().path("username").asText()).isEqualTo("ldap:ada");
        assertThat(login.json().path("globalAdmin").asBoolean(true)).isFalse();

        mayReadOrdersAlone(session(login));
        assertThat(server.console().login("ada", "password-of-ada").status()).isEqualTo(200);
        NacosHttp byPassword = server.http().with("username", "ada").with("password", "password-of-ada");
        mayReadOrdersAlone(byPassword);
    }

    @Test
    void accountWithoutARule_mayNothing() {
        NacosHttp eve = session(server.http().login("eve", "password-of-eve"));

        assertThat(eve.config("ORDERS", "d").status()).isEqualTo(403);
        assertThat(eve.get("/v3/auth/user/list", "pageNo", "1", "pageSize", "9").status())
                .isEqualTo(403);
    }

    @Test
    void accountNamedLikeTheAdministrator_isNotLetIn_andARuleMakesAdministrators() {
        assertThat(server.http()
                        .from("192.0.2.80")
                        .login("nacos", "password-of-another-nacos")
                        .status())
                .isEqualTo(403);
        NacosHttp carl = session(server.http().login("carl", "password-of-carl"));
        assertThat(carl.get("/v3/auth/user/list", "pageNo", "1", "pageSize", "9")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void tokenOfTheIssuer_isReadFromEachPlaceThatClientsPutItIn() throws Exception {
        String token = ISSUER.token("orders", claims -> claims.claim("scope", "config.read"));

        mayReadOrdersAlone(server.http().as(token));
        mayReadOrdersAlone(server.http().with("Authorization", "Bearer " + token));
        assertThat(server.http()
                        .get("/v3/client/cs/config", "groupName", "ORDERS", "dataId", "d", "accessToken", token)
                        .status())
                .isEqualTo(200);
        try (NacosClient client = NacosClient.of(server, token)) {
            ConfigService config = client.config();
            Await.until("read over gRPC", () -> "orders".equals(NacosClient.read(config, "ORDERS", "d")));
            assertThat(NacosClient.read(config, "d")).startsWith(NacosClient.REFUSED);
        }
    }

    @Test
    void tokenForSomebodyElse_isRefused() {
        String other = ISSUER.token(
                "orders", claims -> claims.claim("scope", "config.read").audience("another-service"));
        assertThat(server.http().as(other).config("ORDERS", "d").status()).isEqualTo(403);
        assertThat(server.http()
                        .as(ISSUER.forged("orders"))
                        .config("ORDERS", "d")
                        .status())
                .isEqualTo(403);

        NacosHttp nacos = server.http().as(ISSUER.token("nacos", claims -> claims));
        assertThat(nacos.get("/v3/auth/user/list", "pageNo", "1", "pageSize", "9")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void pluginOfAThirdParty_isAskedByItsName() {
        assertThat(server.http().with("X-API-Key", KEY).config("ORDERS", "d").status())
                .isEqualTo(200);
        assertThat(server.http().with("X-API-Key", KEY).config("G", "d").status())
                .isEqualTo(403);
        assertThat(server.http()
                        .with("X-API-Key", KEY.replace('0', '1'))
                        .config("ORDERS", "d")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void guesses_areLimitedAsForTheServersUsers_andALogoutEndsTheToken() {
        NacosHttp attacker = server.http().from("192.0.2.81");
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            statuses.add(attacker.login("mallory", "guess " + i).status());
        }
        assertThat(statuses).containsExactly(403, 403, 403, 403, 403, 429, 429, 429);
        Answer limited = attacker.login("mallory", "password-of-mallory");
        assertThat(limited.status()).isEqualTo(429);
        assertThat(Long.parseLong(limited.header("Retry-After"))).isPositive();

        NacosHttp session = session(server.http().login("ada", "password-of-ada"));
        assertThat(session.post("/v3/auth/user/logout").status()).isEqualTo(200);
        assertThat(session.config("ORDERS", "d").status()).isEqualTo(403);
    }

    @Test
    void administrator_endsAllTokensOfASubject() {
        NacosHttp eve = session(server.http().login("eve", "password-of-eve"));
        NacosHttp ada = session(server.http().login("ada", "password-of-ada"));
        assertThat(eve.post("/v3/auth/user/logout", "username", "ldap:ada").status())
                .isEqualTo(403);
        assertThat(ada.config("ORDERS", "d").status()).isEqualTo(200);

        assertThat(SharedServer.admin(server)
                        .post("/v3/auth/user/logout", "username", "ldap:ada")
                        .status())
                .isEqualTo(200);
        assertThat(ada.config("ORDERS", "d").status()).isEqualTo(403);
    }

    @Test
    void tokenWithAnotherAlgorithm_isRefused() {
        issuerWithANewKey();

        for (String token : List.of(ISSUER.unsigned("orders"), ISSUER.macUnderThePublicKey("orders"))) {
            assertThat(server.http().as(token).config("ORDERS", "d").status()).isEqualTo(403);
        }
    }

    @Test
    void issuerThatIsDown_leavesItsTokensAndTheServersUsersIn() {
        issuerWithANewKey();
        String token = ISSUER.token("orders", claims -> claims.claim("scope", "config.read"));
        ISSUER.stop();
        try {
            mayReadOrdersAlone(server.http().as(token));
            assertThat(server.http().login("nacos", SharedServer.ADMIN_PASSWORD).status())
                    .isEqualTo(200);
        } finally {
            ISSUER.startAgain();
        }
    }

    /** The server reads keys at most twice in 30 seconds, so another test may have used both reads up. */
    private static void issuerWithANewKey() {
        ISSUER.rotate();
        Await.until(
                "the new key is known",
                () -> server.http()
                                .as(ISSUER.token("orders", claims -> claims.claim("scope", "config.read")))
                                .config("ORDERS", "d")
                                .status()
                        == 200);
    }

    @Test
    void clientsLibrary_logsInWithAnAccountOfTheDirectory() throws Exception {
        try (NacosClient client = NacosClient.of(server, "ada", "password-of-ada")) {
            ConfigService config = client.config();
            Await.until("read over gRPC", () -> "orders".equals(NacosClient.read(config, "ORDERS", "d")));
            assertThat(NacosClient.read(config, "d")).startsWith(NacosClient.REFUSED);
        }
    }

    @Test
    void accountThatLeavesTheDirectory_losesItsToken_andANewPasswordEndsTheTokensOfTheOldOne() {
        NacosHttp leaver = session(server.http().login("leaver", "password-of-leaver"));
        NacosHttp mover = session(server.http().login("mover", "password-of-mover"));
        mayReadOrdersAlone(leaver);
        mayReadOrdersAlone(mover);
        DIRECTORY.remove("leaver");
        DIRECTORY.changePassword("mover", "another-password");

        Await.until("the account is gone", () -> leaver.config("ORDERS", "d").status() == 403);
        Await.until(
                "the old password's token has ended",
                () -> mover.config("ORDERS", "d").status() == 403);
        mayReadOrdersAlone(session(server.http().login("mover", "another-password")));
        assertThat(server.http()
                        .from("192.0.2.83")
                        .login("mover", "password-of-mover")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void accountsInTheFileOfCodes_showACode_inEachSource() {
        SharedServer.admin(server).post("/v3/auth/user", "username", "coded", "password", "password-of-coded");
        NacosHttp owner = server.http().from("192.0.2.84");
        for (String account : List.of("coded", "ina")) {
            String password = "password-of-" + account;
            assertThat(owner.login(account, password).status()).isEqualTo(403);
            Answer byField = owner.post(
                    "/v3/auth/user/login", "username", account, "password", password, "code", AuthenticatorApp.code(0));
            assertThat(byField.status()).as(byField.body()).isEqualTo(200);
            assertThat(owner.login(account, password + AuthenticatorApp.code(1)).status())
                    .isEqualTo(200);
            assertThat(owner.with("username", account)
                            .with("password", password)
                            .config("ORDERS", "d")
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void outageOfTheDirectory_leavesTheServersUsersIn() {
        String token = server.http().login("carl", "password-of-carl").token();
        DIRECTORY.stop();
        try {
            assertThat(server.http().login("nacos", SharedServer.ADMIN_PASSWORD).status())
                    .isEqualTo(200);
            Answer refused = server.http().from("192.0.2.82").login("somebody", "password");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isNotEmpty();
            assertThat(server.http().as(token).config("G", "d").status()).isEqualTo(200);
        } finally {
            DIRECTORY.startAgain();
        }
    }

    private static void mayReadOrdersAlone(NacosHttp session) {
        assertThat(session.config("ORDERS", "d").status()).isEqualTo(200);
        assertThat(session.config("G", "d").status()).isEqualTo(403);
        assertThat(session.publish("ORDERS", "d", "changed").status()).isEqualTo(403);
    }

    private static NacosHttp session(Answer login) {
        JsonNode json = login.json();
        assertThat(json.path("accessToken").asText()).as(login.body()).isNotEmpty();
        return server.http().as(login.token());
    }
}
