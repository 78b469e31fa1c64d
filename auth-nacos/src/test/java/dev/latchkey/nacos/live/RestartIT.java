package dev.latchkey.nacos.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.nacos.api.config.ConfigService;
import dev.latchkey.nacos.DefaultToken;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One server loses the process, the key and the database; each test leaves a running server. */
final class RestartIT {

    private static final String OTHER_SECRET = "Zm9yIHRoZSByb3RhdGlvbiBpbiB0aGVzZSB0ZXN0cyEhMTIzNA==";

    private static final String KEY = "nacos.core.auth.plugin.nacos.token.secret.key";

    private static NacosServer server;

    @BeforeAll
    static void start() {
        server = SharedServer.withAdmin(NacosServer.fresh(NacosServer.Kind.LATCHKEY)
                .set(NacosServer.DATABASE_TIMEOUT, "10000")
                .setOwn("trusted.proxies", "127.0.0.1")
                .start());
        server.http().as(login().token()).publish("G", "kept", "text");
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void changedKey_isTakenWhileFourClientsReadAndListen() throws Exception {
        String old = login().token();
        try (ReadingClients clients = ReadingClients.start(server, 4, "kept")) {
            server.set(KEY, OTHER_SECRET).writeProperties();
            Await.until("the new key signs", () -> DefaultToken.isSignedBy(OTHER_SECRET, login().token()));
            clients.publishAndHear(server.http().as(login().token()), "heard after the rotation");

            assertThat(server.http().as(old).config("G", "kept").status()).isEqualTo(200);
            clients.readOn();
            assertThat(clients.refusals()).isEmpty();
        }
    }

    @Test
    void keyThatIsTooShort_isNotTaken() {
        String before = login().token();
        String signing = DefaultToken.isSignedBy(OTHER_SECRET, before) ? OTHER_SECRET : NacosServer.SECRET;
        server.set(KEY, "c2hvcnQ=").writeProperties();
        try {
            Await.until(
                    "the log says it", () -> server.home().log().contains("The changed configuration is not taken"));

            assertThat(DefaultToken.isSignedBy(signing, login().token())).isTrue();
            assertThat(server.http().as(before).config("G", "kept").status()).isEqualTo(200);
        } finally {
            server.set(KEY, signing).writeProperties();
        }
    }

    @Test
    void databaseThatIsGone_isAnOutage_andTheServerThatIsStartedAnewKnowsUsersAndTokens() throws Exception {
        String token = login().token();
        try (NacosClient client = NacosClient.of(server, "nacos", SharedServer.ADMIN_PASSWORD)) {
            ConfigService config = client.config();
            Await.until("read before", () -> "text".equals(NacosClient.read(config, "kept")));
            server.stopDatabase();
            try {
                requireOutage(token);
            } finally {
                server.kill();
                server.start();
            }

            assertThat(server.http().as(token).config("G", "kept").status()).isEqualTo(200);
            NacosHttp.Answer login = login();
            assertThat(login.status()).isEqualTo(200);
            server.http().as(login.token()).publish("G", "kept-since", "text");
            Await.until("read after", () -> "text".equals(NacosClient.read(config, "kept-since")));
        }
    }

    private static void requireOutage(String token) {
        AtomicReference<NacosHttp.Answer> login = new AtomicReference<>();
        Await.until("the outage is noticed", () -> {
            login.set(login());
            return login.get().status() == 503;
        });
        assertThat(Long.parseLong(login.get().header("Retry-After"))).isPositive();
        assertThat(login.get().body()).doesNotContain("accessToken", "SQL", "Exception");
        NacosHttp.Answer byPassword = server.http()
                .with("username", "nacos")
                .with("password", SharedServer.ADMIN_PASSWORD)
                .config("G", "kept");
        assertThat(byPassword.status()).isEqualTo(503);
        // The server's copy of its users and the signature decide about a token.
        assertThat(server.http().as(token).config("G", "kept").status()).isNotEqualTo(403);
    }

    private static NacosHttp.Answer login() {
        return server.http().from("192.0.2.80").login("nacos", SharedServer.ADMIN_PASSWORD);
    }
}
