package dev.latchkey.plugins.passkeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.plugins.codes.OneTimeCodes;
import dev.latchkey.plugins.passkeys.Authenticator;
import dev.latchkey.plugins.passkeys.Passkeys;
import dev.latchkey.plugins.passkeys.PasskeysPlugin;
import dev.latchkey.plugins.passkeys.spring.Client.Reply;
import dev.latchkey.testsupport.LogLines;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Registration and both ways to log in over HTTP, as the README's page does it, on both stacks. */
@Tag("long")
class PasskeysEndpointTest {

    private static final Map<String, String> PROOF = Map.of("password", Services.PASSWORD);
    private static final Map<String, Secret> NOTHING = Map.of();

    /** As the client with this token. */
    private static Authenticator register(Client client, String token) {
        Reply begun = client.send("POST", "/auth/passkeys", token, Client.json(PROOF, NOTHING));
        assertThat(begun.status()).as(begun.body()).isEqualTo(200);
        Authenticator authenticator = new Authenticator();
        Map<String, Secret> made = authenticator.register(begun.member("challenge"), begun.member("user_id"));
        Reply confirmed =
                client.send("POST", "/auth/passkeys/confirm", token, Client.json(Map.of("name", "phone"), made));
        assertThat(confirmed.status()).isEqualTo(200);
        assertThat(confirmed.member("id")).isEqualTo(authenticator.id());
        return authenticator;
    }

    private static String login(Client client) {
        return client.login("ada").member("access_token");
    }

    private static Reply alone(Client client, Authenticator authenticator, String challenge) {
        return client.send(
                "POST",
                "/auth/token",
                "",
                Client.json(Map.of("grant_type", PasskeysPlugin.GRANT_TYPE), authenticator.sign(challenge)));
    }

    private static String challenge(ApplicationContext context) {
        return (String) context.getBean(Passkeys.class).begin().get("challenge");
    }

    /** A token of support, to act as ada. */
    private static String acting(ApplicationContext context) {
        return context.getBean(JwtSigner.class)
                .sign(JwtClaims.forSubject("ada", Duration.ofMinutes(5)).with("act", Map.of("sub", "support")));
    }

    @ParameterizedTest
    @EnumSource
    void accountThatActsAsTheOwner_changesAndSeesNothing(Stack stack) {
        stack.run((client, context) -> {
            String acting = acting(context);
            String proof = Client.json(PROOF, NOTHING);
            for (Reply reply : List.of(
                    client.send("GET", "/auth/passkeys", acting, ""),
                    client.send("POST", "/auth/passkeys", acting, proof),
                    client.send("POST", "/auth/passkeys/confirm", acting, proof),
                    client.send("POST", "/auth/passkeys/proof", acting, ""),
                    client.send("DELETE", "/auth/passkeys/1", acting, proof))) {
                assertThat(reply.status()).isEqualTo(403);
                assertThat(reply.body()).contains("\"status\":403", "acts as the owner");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void clientThatAcceptsNoJson_isRefusedBeforeAnyEffect(Stack stack) {
        stack.run((client, context) -> {
            String token = login(client);
            Authenticator authenticator = register(accepting("application/json", client), token);
            String path = "/auth/passkeys/" + authenticator.id();
            String challenge =
                    client.send("POST", "/auth/passkeys/proof", token, "").member("challenge");
            String proof = Client.json(PROOF, authenticator.sign(challenge));
            for (String accepted : List.of("text/html", "x")) {
                assertThat(accepting(accepted, client)
                                .send("DELETE", path, token, proof)
                                .status())
                        .isEqualTo(406);
            }
            assertThat(client.send("DELETE", path, token, proof).status()).isEqualTo(200);
        });
    }

    private static Client accepting(String type, Client client) {
        return (method, path, headers, json) -> {
            Map<String, String> all = new HashMap<>(headers);
            all.put("Accept", type);
            return client.request(method, path, all, json);
        };
    }

    @ParameterizedTest
    @EnumSource
    void tableThatIsGone_isSaidInTheLog(Stack stack) {
        try (LogLines log = LogLines.of(OutageLog.class)) {
            stack.run((client, context) -> {
                String token = login(client);
                context.getBean(JdbcClient.class)
                        .sql("alter table latchkey_passkey rename to gone")
                        .update();
                assertThat(client.send("GET", "/auth/passkeys", token, "").status())
                        .isEqualTo(503);
            });
            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING: /auth/passkeys does not answer: ")
                    .contains("latchkey_passkey", "schema-");
        }
    }

    @ParameterizedTest
    @EnumSource
    @ExtendWith(OutputCaptureExtension.class)
    void malformedBody_is400_andReachesNoLog(Stack stack, CapturedOutput output) {
        stack.run((client, context) -> {
            String token = login(client);
            for (String path : List.of("/auth/passkeys", "/auth/passkeys/confirm")) {
                for (String body : List.of("{\"password\": hunter2}", "{\"password\":\"hunter2", "\"hunter2\"")) {
                    Reply reply = client.send("POST", path, token, body);
                    assertThat(reply.status()).as(body).isEqualTo(400);
                    assertThat(reply.body()).doesNotContain("hunter2");
                }
            }
            assertThat(output).doesNotContain("hunter2");
        });
    }

    @ParameterizedTest
    @EnumSource
    void user_registers_logsInInTwoSteps_andByAPasskeyAlone_andRemovesIt(Stack stack) {
        stack.run((client, context) -> {
            String token = login(client);
            Authenticator authenticator = register(client, token);

            Reply first = client.login("ada");
            assertThat(first.status()).isEqualTo(401);
            assertThat(first.member("rp_id")).isEqualTo("example.com");
            assertThat(first.member("user_verification")).isEqualTo("preferred");
            assertThat(first.body()).contains("\"credential_ids\":[\"" + authenticator.id() + "\"]");
            Reply second = client.goOn(first, authenticator.sign(first.member("challenge")));
            assertThat(second.status()).as(second.body()).isEqualTo(200);
            assertThat(client.send("GET", "/auth/passkeys", second.member("access_token"), "")
                            .body())
                    .contains(authenticator.id(), "phone");

            Reply alone = alone(client, authenticator, challenge(context));
            assertThat(alone.status()).as(alone.body()).isEqualTo(200);
            assertThat(alone(client, authenticator, first.member("challenge")).status())
                    .as("a challenge of a step")
                    .isIn(400, 401);
            Reply refreshed = client.send(
                    "POST",
                    "/auth/token",
                    "",
                    Client.json(
                            Map.of("grant_type", "refresh_token", "refresh_token", alone.member("refresh_token")),
                            NOTHING));
            assertThat(refreshed.status()).as(refreshed.body()).isEqualTo(200);

            String path = "/auth/passkeys/" + authenticator.id();
            assertThat(client.send("DELETE", path, token, Client.json(PROOF, NOTHING))
                            .status())
                    .as("by the password alone")
                    .isEqualTo(403);
            String proof =
                    client.send("POST", "/auth/passkeys/proof", token, "").member("challenge");
            assertThat(client.send("DELETE", path, token, Client.json(PROOF, authenticator.sign(proof))))
                    .isEqualTo(new Reply(200, "{\"removed\":true}"));
            assertThat(client.login("ada").status()).isEqualTo(200);
            assertThat(client.send(
                                    "POST",
                                    "/auth/token",
                                    "",
                                    Client.json(
                                            Map.of(
                                                    "grant_type",
                                                    "refresh_token",
                                                    "refresh_token",
                                                    refreshed.member("refresh_token")),
                                            NOTHING))
                            .status())
                    .as("a session of the passkey that was removed")
                    .isEqualTo(400);
        });
    }

    @ParameterizedTest
    @EnumSource
    void passkeyAndOneTimeCode_areBothWanted_afterAPassword_andTheCodeAfterAPasskey(Stack stack) {
        stack.run((client, context) -> {
            Authenticator authenticator = register(client, login(client));
            OneTimeCodes codes = context.getBean(OneTimeCodes.class);
            Secret shown = codes.begin("ada").orElseThrow().key();
            Iterator<Secret> recovery =
                    codes.confirm("ada", CodeApp.code(shown)).orElseThrow().iterator();

            Reply reply = client.login("ada");
            Map<String, Integer> asked = new HashMap<>();
            while (reply.status() == 401 && asked.size() < 3) {
                boolean isPasskey = reply.body().contains("credential_ids");
                asked.merge(isPasskey ? "passkey" : "code", 1, Integer::sum);
                reply = client.goOn(
                        reply,
                        isPasskey ? authenticator.sign(reply.member("challenge")) : Map.of("code", recovery.next()));
            }
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
            assertThat(asked).containsOnlyKeys("passkey", "code");

            Reply alone = alone(client, authenticator, challenge(context));
            assertThat(alone.member("error")).isEqualTo("mfa_required");
            assertThat(alone.body()).doesNotContain("credential_ids");
            assertThat(client.goOn(alone, Map.of("code", recovery.next())).status())
                    .isEqualTo(200);
        });
    }

    @ParameterizedTest
    @EnumSource
    void thiefOfAToken_changesNothing(Stack stack) {
        stack.run((client, context) -> {
            String token = login(client);
            assertThat(client.send("POST", "/auth/passkeys", token, "{\"password\":\"wrong\"}")
                            .status())
                    .isEqualTo(403);
            assertThat(client.send("POST", "/auth/passkeys", token, "{}").status())
                    .isEqualTo(403);
            assertThat(client.send("POST", "/auth/passkeys", token, "{\"password\":\"\\ud800\"}")
                            .status())
                    .isEqualTo(400);
            Authenticator authenticator = register(client, token);
            assertThat(client.send("POST", "/auth/passkeys", token, Client.json(PROOF, NOTHING))
                            .status())
                    .isEqualTo(403);
            assertThat(client.send("GET", "/auth/passkeys", "", "").status()).isEqualTo(401);
            assertThat(authenticator.id()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource
    void furtherPasskey_isRegisteredByAPasskeyAlone_andTheListTellsTheLastUse(Stack stack) {
        stack.run((client, context) -> {
            String token = login(client);
            assertThat(client.send("POST", "/auth/passkeys/proof", token, "").status())
                    .as("without a passkey")
                    .isEqualTo(404);
            Authenticator first = register(client, token);
            assertThat(client.send("GET", "/auth/passkeys", token, "").body())
                    .contains("\"created\":\"")
                    .doesNotContain("last_used");
            Reply begun =
                    client.send("POST", "/auth/passkeys", token, Client.json(Map.of(), first.sign(challenge(context))));
            assertThat(begun.status()).as(begun.body()).isEqualTo(200);
            Map<String, Secret> made = new Authenticator().register(begun.member("challenge"), begun.member("user_id"));
            assertThat(client.send("POST", "/auth/passkeys/confirm", token, Client.json(Map.of("name", "key"), made))
                            .status())
                    .isEqualTo(200);
            assertThat(client.send("GET", "/auth/passkeys", token, "").body())
                    .contains("\"last_used\":\"", "phone", "key");
        });
    }

    @ParameterizedTest
    @EnumSource
    void assertionThatIsWrong_isA401_andMalformedOneA400(Stack stack) {
        stack.run((client, context) -> {
            Authenticator authenticator = register(client, login(client));
            String challenge = challenge(context);
            assertThat(alone(client, authenticator, challenge).status()).isEqualTo(200);
            assertThat(alone(client, authenticator, challenge).status()).isIn(400, 401);
            assertThat(client.send(
                                    "POST",
                                    "/auth/token",
                                    "",
                                    Client.json(Map.of("grant_type", PasskeysPlugin.GRANT_TYPE), NOTHING))
                            .status())
                    .isEqualTo(400);
        });
    }

    @Test
    void challengeForALogin_isForEverybody() {
        Stack.SERVLET.run((client, context) -> {
            Authenticator authenticator = register(client, login(client));
            Reply begun = client.send("POST", "/auth/passkeys/challenge", "", "");
            assertThat(begun.member("user_verification")).isEqualTo("required");
            assertThat(alone(client, authenticator, begun.member("challenge")).status())
                    .isEqualTo(200);
        });
    }
}
