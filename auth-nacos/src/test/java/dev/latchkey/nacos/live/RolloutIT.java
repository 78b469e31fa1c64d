package dev.latchkey.nacos.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.nacos.api.config.ConfigService;
import dev.latchkey.nacos.DefaultToken;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two servers with one key and different plugins, as in a cluster during a rollout; tokens of 15 seconds. */
final class RolloutIT {

    private static final String LIFETIME = "nacos.core.auth.plugin.nacos.token.expire.seconds";

    private static NacosServer before;
    private static NacosServer after;

    @BeforeAll
    static void start() {
        before = SharedServer.withAdmin(NacosServer.fresh(NacosServer.Kind.DEFAULT_BESIDE_JAR)
                .set(LIFETIME, "15")
                .start());
        after = SharedServer.withAdmin(NacosServer.fresh(NacosServer.Kind.LATCHKEY)
                .set(LIFETIME, "15")
                .set("nacos.core.auth.caching.enabled", "false")
                .setOwn("rollout.accept.default.tokens", "true")
                .setOwn("rollout.write.default.tokens", "true")
                .start());
        // The default plugin knows a new user after the next reading of users.
        Await.until(
                "the default plugin knows its administrator",
                () -> !tokenOf(before).isEmpty());
    }

    @AfterAll
    static void end() {
        if (before != null) {
            before.close();
        }
        if (after != null) {
            after.close();
        }
    }

    @Test
    void tokenOfEach_isGoodAtTheOther() {
        for (NacosServer maker : List.of(before, after)) {
            for (NacosServer reader : List.of(before, after)) {
                untilBeforeItEnds(
                        () -> reader.http().as(tokenOf(maker)).config("G", "d").status() == 200);
            }
        }
    }

    @Test
    void tokenOfTheDefaultPluginForAUserWhoIsNotHere_isRefused() {
        String stranger =
                DefaultToken.of("nobody-here", NacosServer.SECRET, Instant.now().plusSeconds(60));
        String expired =
                DefaultToken.of("nacos", NacosServer.SECRET, Instant.now().minusSeconds(60));

        assertThat(after.http().as(stranger).config("G", "d").status()).isEqualTo(403);
        assertThat(before.http().as(expired).config("G", "d").status()).isEqualTo(403);
        assertThat(after.http().as(expired).config("G", "d").status()).isEqualTo(403);
    }

    @Test
    void tokenEndsWithItsPasswordAtOnce_whereTheServerKeepsNoCopyOfItsUsers() {
        String user = SharedServer.newUser(after, "first-password");
        AtomicReference<String> token = new AtomicReference<>("");
        untilBeforeItEnds(() -> {
            token.set(after.http().login(user, "first-password").token());
            return isLoginByToken(token.get());
        });

        untilBeforeItEnds(() -> SharedServer.admin(after)
                        .put("/v3/auth/user", "username", user, "newPassword", "second-password")
                        .status()
                == 200);
        assertThat(isLoginByToken(token.get())).isFalse();
        untilBeforeItEnds(
                () -> isLoginByToken(after.http().login(user, "second-password").token()));
    }

    @Test
    void logoutOfATokenOfTheDefaultPlugin_endsTheTokenHere() {
        AtomicReference<String> token = new AtomicReference<>("");
        untilBeforeItEnds(() -> {
            token.set(tokenOf(before));
            return after.http().as(token.get()).post("/v3/auth/user/logout").status() == 200;
        });
        assertThat(isLoginByToken(token.get())).isFalse();
    }

    /**
     * The library checks every five seconds whether nine tenths of the token's lifetime are over. A token of 15 seconds may
     * have ended by then: for the default plugin at once, for this plugin after five seconds of clock skew. A refused read must
     * have this reason alone, and later reads must succeed without help.
     */
    @Test
    void clients_readOnOnceTheirTokensHaveEnded_whicheverServerMadeThem() throws Exception {
        for (NacosServer server : List.of(before, after)) {
            untilBeforeItEnds(() -> server.http()
                            .as(tokenOf(server))
                            .publish("G", "both", "text")
                            .status()
                    == 200);
        }
        // The client logs in at the first address, and connects to either address.
        try (NacosClient ofBefore = client(before.address() + "," + after.address());
                NacosClient ofAfter = client(after.address() + "," + before.address());
                NacosClient ofAfterAlone = client(after.address())) {
            List<ConfigService> clients = List.of(ofBefore.config(), ofAfter.config(), ofAfterAlone.config());
            for (ConfigService client : clients) {
                // Before the first login a client has no token, so the server refuses the read.
                Await.until("the first read", () -> isText(client, new TreeSet<>()));
            }
            Set<String> refusals = new TreeSet<>();
            String laterOfBefore = tokenOf(before);
            String laterOfAfter = tokenOf(after);
            Await.until("the tokens of all have ended", () -> {
                clients.forEach(client -> isText(client, refusals));
                return isRefused(before, laterOfBefore) && isRefused(after, laterOfAfter);
            });

            for (ConfigService client : clients) {
                Await.until("a read with another token", () -> isText(client, refusals));
            }
            // Over HTTP, the client writes more after the reason.
            assertThat(refusals).allSatisfy(refusal -> assertThat(refusal).contains("expired!"));
        }
    }

    /** On a slow machine a token may end on the way; a single timely token is enough. */
    private static void untilBeforeItEnds(BooleanSupplier answer) {
        Await.until("an answer before the token has ended", answer);
    }

    private static boolean isLoginByToken(String token) {
        return after.http().post("/v3/auth/user/login", "accessToken", token).status() == 200;
    }

    private static NacosClient client(String addresses) {
        return NacosClient.of(addresses, "nacos", SharedServer.ADMIN_PASSWORD);
    }

    private static boolean isText(ConfigService client, Set<String> refusals) {
        String read = NacosClient.read(client, "both");
        if (read.startsWith(NacosClient.REFUSED)) {
            refusals.add(read);
        }
        return read.equals("text");
    }

    private static boolean isRefused(NacosServer server, String token) {
        return server.http().as(token).config("G", "both").status() == 403;
    }

    private static String tokenOf(NacosServer server) {
        return server.http()
                .login("nacos", SharedServer.ADMIN_PASSWORD)
                .json()
                .path("accessToken")
                .asText("");
    }
}
