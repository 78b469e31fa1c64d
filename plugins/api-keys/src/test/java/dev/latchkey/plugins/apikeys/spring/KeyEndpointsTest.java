package dev.latchkey.plugins.apikeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.plugins.apikeys.spring.KeyClient.Reply;
import dev.latchkey.testsupport.LogLines;
import java.time.Duration;
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

/** A user's own keys over HTTP, as the README's commands do it; on both stacks. */
@Tag("long")
class KeyEndpointsTest {

    private static final String PATH = "/auth/api-keys";
    private static final String PROOF = "{\"password\":\"" + Services.PASSWORD + "\"%s}";

    @ParameterizedTest
    @EnumSource
    void clientThatAcceptsNoJson_isRefusedBeforeAnyEffect(Stack stack) {
        stack.run((client, context) -> {
            String token = client.token("ada");
            String proof = PROOF.formatted(",\"name\":\"nightly\",\"scopes\":[\"own\"]");
            for (String accepted : List.of("text/html", "x")) {
                assertThat(client.send("POST", PATH, proof, "Authorization", token, "Accept", accepted)
                                .status())
                        .isEqualTo(406);
            }
            assertThat(client.send("GET", PATH, "", "Authorization", token).body())
                    .isEqualTo("{\"keys\":[]}");
            String[] fields = {"Authorization", token, "Accept", "application/json"};
            assertThat(client.send("POST", PATH, proof, fields).status()).isEqualTo(201);
            Reply unnamed = client.send("POST", PATH, PROOF.formatted(",\"name\":\"\""), fields);
            assertThat(unnamed.status()).isEqualTo(400);
            assertThat(unnamed.headers().getFirst("Content-Type")).isEqualTo("application/problem+json");
        });
    }

    @ParameterizedTest
    @EnumSource
    void user_issues_lists_renames_rotates_andRevokes(Stack stack) {
        stack.run((client, context) -> {
            String token = client.token("ada");
            String[] login = {"Authorization", token};
            Reply issued = client.issue(
                    token, "\"name\":\"nightly\",\"scopes\":[\"orders.read\",\"own\"],\"expires_in_days\":30");
            assertThat(issued.status()).isEqualTo(201);
            assertThat(issued.headers().getFirst("Cache-Control")).contains("no-store");
            assertThat(issued.body())
                    .contains("\"scopes\":[\"orders.read\",\"own\"]")
                    .contains("\"expires_at\":\"");
            String key = issued.member("key");
            String id = issued.member("id");
            assertThat(client.send("GET", "/orders", "", "X-API-Key", key).body())
                    .isEqualTo("orders");

            assertThat(client.send("PATCH", PATH + "/" + id, "{\"name\":\"weekly\"}", login)
                            .status())
                    .isEqualTo(204);
            Reply listed = client.send("GET", PATH, "", login);
            assertThat(listed.status()).isEqualTo(200);
            assertThat(listed.member("name")).isEqualTo("weekly");
            assertThat(listed.member("id")).isEqualTo(id);
            assertThat(listed.body()).doesNotContain(key.substring(16)).doesNotContain("digest");

            Reply rotated =
                    client.send("POST", PATH + "/" + id + "/rotate", PROOF.formatted(",\"overlap_hours\":2"), login);
            assertThat(rotated.status()).isEqualTo(200);
            assertThat(rotated.member("id")).isEqualTo(id);
            assertThat(rotated.body()).contains("\"former_key_until\":\"");
            String next = rotated.member("key");
            assertThat(next).isNotEqualTo(key);
            assertThat(client.hello("X-API-Key", key).status()).isEqualTo(200);
            assertThat(client.hello("X-API-Key", next).status()).isEqualTo(200);

            Reply again =
                    client.send("POST", PATH + "/" + id + "/rotate", PROOF.formatted(",\"overlap_hours\":2"), login);
            assertThat(again.status()).isEqualTo(409);
            assertThat(again.body()).contains("overlap_hours 0");

            assertThat(client.send("DELETE", PATH + "/" + id, "", login).status())
                    .isEqualTo(204);
            assertThat(client.hello("X-API-Key", key).status()).isEqualTo(401);
            assertThat(client.hello("X-API-Key", next).status()).isEqualTo(401);
            assertThat(client.send("GET", PATH, "", login).body()).isEqualTo("{\"keys\":[]}");
        });
    }

    @ParameterizedTest
    @EnumSource
    void tableThatWasNeverMade_isSaidInTheLog(Stack stack) {
        try (LogLines log = LogLines.of(OutageLog.class)) {
            stack.run((client, context) -> {
                String[] login = {"Authorization", client.token("ada")};
                // The outage of an earlier test is over, so this outage is news.
                assertThat(client.send("GET", PATH, "", login).status()).isEqualTo(200);
                JdbcClient database = context.getBean(JdbcClient.class);
                database.sql("alter table latchkey_api_key rename to elsewhere").update();
                try {
                    assertThat(client.send("GET", PATH, "", login).status()).isEqualTo(503);
                } finally {
                    database.sql("alter table elsewhere rename to latchkey_api_key")
                            .update();
                }
            });
            assertThat(log.all())
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .singleElement()
                    .asString()
                    .startsWith("WARNING: /auth/api-keys does not answer: The table latchkey_api_key is missing")
                    .contains("run the script dev/latchkey/plugins/apikeys/schema-");
        }
    }

    @ParameterizedTest
    @EnumSource
    void key_managesNoKeys_whateverItsScopesAre(Stack stack) {
        stack.run((client, context) -> {
            String key = client.key("ada", "own", "orders.read");
            String id = key.substring(3, 15);
            for (String[] field :
                    List.of(new String[] {"X-API-Key", key}, new String[] {"Authorization", "Bearer " + key})) {
                assertThat(client.send("GET", PATH, "", field).status()).isEqualTo(403);
                assertThat(client.send("POST", PATH, PROOF.formatted(",\"name\":\"x\""), field)
                                .status())
                        .isEqualTo(403);
                assertThat(client.send("POST", PATH + "/" + id + "/rotate", PROOF.formatted(""), field)
                                .status())
                        .isEqualTo(403);
                assertThat(client.send("PATCH", PATH + "/" + id, "{\"name\":\"x\"}", field)
                                .status())
                        .isEqualTo(403);
                assertThat(client.send("DELETE", PATH + "/" + id, "", field).status())
                        .isEqualTo(403);
            }
            assertThat(client.hello("X-API-Key", key).status()).isEqualTo(200);
        });
    }

    /** A token of support, to act as ada. */
    private static String acting(ApplicationContext context) {
        return context.getBean(JwtSigner.class)
                .sign(JwtClaims.forSubject("ada", Duration.ofMinutes(5)).with("act", Map.of("sub", "support")));
    }

    @ParameterizedTest
    @EnumSource
    void accountThatActsAsTheOwner_managesNoKeys(Stack stack) {
        stack.run((client, context) -> {
            String key = client.key("ada", "own");
            String[] acting = {"Authorization", "Bearer " + acting(context)};
            assertThat(client.hello(acting).status()).isEqualTo(200);
            String path = PATH + "/" + key.substring(3, 15);
            for (Reply reply : List.of(
                    client.send("GET", PATH, "", acting),
                    client.send("POST", PATH, PROOF.formatted(",\"name\":\"x\""), acting),
                    client.send("POST", path + "/rotate", PROOF.formatted(""), acting),
                    client.send("PATCH", path, "{\"name\":\"x\"}", acting),
                    client.send("DELETE", path, "", acting))) {
                assertThat(reply.status()).isEqualTo(403);
                assertThat(reply.body()).contains("\"status\":403", "acts as the owner");
            }
            assertThat(client.hello("X-API-Key", key).status()).isEqualTo(200);
        });
    }

    @ParameterizedTest
    @EnumSource
    void thiefOfAToken_getsNoKey_andMeetsTheLimits(Stack stack) {
        stack.run((client, context) -> {
            String token = client.token("ada");
            for (String body : List.of(
                    "{\"name\":\"x\"}",
                    "{\"name\":\"x\",\"password\":\"guessed\"}",
                    "{\"name\":\"x\",\"username\":\"bob\",\"password\":\"" + Services.PASSWORD + "\"}")) {
                assertThat(client.send("POST", PATH, body, "Authorization", token)
                                .status())
                        .as(body)
                        .isEqualTo(403);
            }
            int last = 0;
            for (int i = 0; i < 120 && last != 429; i++) {
                last = client.send(
                                "POST",
                                PATH,
                                "{\"name\":\"x\",\"password\":\"guess" + i + "\"}",
                                "Authorization",
                                token)
                        .status();
            }
            assertThat(last).isEqualTo(429);
            assertThat(client.send("GET", PATH, "", "Authorization", token).body())
                    .isEqualTo("{\"keys\":[]}");
        });
    }

    @ParameterizedTest
    @EnumSource
    void keysOfOthers_areAsIfThereWereNone(Stack stack) {
        stack.run((client, context) -> {
            String key = client.key("ada");
            String id = key.substring(3, 15);
            String[] bob = {"Authorization", client.token("bob")};
            assertThat(client.send("GET", PATH, "", bob).body()).isEqualTo("{\"keys\":[]}");
            assertThat(client.send("POST", PATH + "/" + id + "/rotate", PROOF.formatted(""), bob)
                            .status())
                    .isEqualTo(404);
            assertThat(client.send("PATCH", PATH + "/" + id, "{\"name\":\"x\"}", bob)
                            .status())
                    .isEqualTo(404);
            assertThat(client.send("DELETE", PATH + "/" + id, "", bob).status()).isEqualTo(404);
            assertThat(client.hello("X-API-Key", key).body()).isEqualTo("Hello ada");
        });
    }

    @ParameterizedTest
    @EnumSource
    void scopeThatTheUserMayNotGive_isRefused_andSoIsOneKeyTooMany(Stack stack) {
        stack.run(
                (client, context) -> {
                    String token = client.token("ada");
                    assertThat(client.issue(token, "\"name\":\"x\",\"scopes\":[\"own\",\"orders.write\"]")
                                    .status())
                            .isEqualTo(403);
                    assertThat(client.issue(token, "\"name\":\"x\",\"scopes\":[\"ROLE_USER\"]")
                                    .status())
                            .isEqualTo(403);
                    assertThat(client.issue(token, "\"name\":\"x\"").status()).isEqualTo(201);
                    assertThat(client.issue(token, "\"name\":\"x\"").status()).isEqualTo(409);
                },
                "latchkey.plugin.api-keys.most-per-account=1");
    }

    @ParameterizedTest
    @EnumSource
    @ExtendWith(OutputCaptureExtension.class)
    void badBodies_areToldWhatIsWrong_andNothingOfThemIsRepeated(Stack stack, CapturedOutput output) {
        stack.run((client, context) -> {
            String token = client.token("ada");
            for (String members : List.of(
                    "\"name\":\"\"",
                    "\"scopes\":[]",
                    "\"name\":7",
                    "\"name\":\"x\",\"scopes\":\"own\"",
                    "\"name\":\"x\",\"scopes\":[7]",
                    "\"name\":\"x\",\"scopes\":[\"s3cr3t-value of\"]",
                    "\"name\":\"x\",\"expires_in_days\":0",
                    "\"name\":\"x\",\"expires_in_days\":366",
                    "\"name\":\"x\",\"expires_in_days\":1.5",
                    "\"name\":\"x\",\"expires_in_days\":99999999999999999999",
                    "\"name\":\"x\",\"expires_in_days\":\"1\"",
                    "\"name\":\"\\ud800\"",
                    "\"name\":\"x\",\"code\":\"\\ud800\"")) {
                Reply reply = client.issue(token, members);
                assertThat(reply.status()).as(members).isEqualTo(400);
                assertThat(reply.member("detail")).as(members).isNotBlank().doesNotContain("s3cr3t");
            }
            for (String body :
                    List.of("", "[]", "{", "null", "7", "{\"password\": s3cr3t}", "{\"password\":\"s3cr3t")) {
                assertThat(client.send("POST", PATH, body, "Authorization", token)
                                .status())
                        .as(body)
                        .isEqualTo(400);
            }
            assertThat(client.send(
                                    "POST",
                                    PATH + "/x/rotate",
                                    PROOF.formatted(",\"overlap_hours\":721"),
                                    "Authorization",
                                    token)
                            .status())
                    .isEqualTo(400);
            assertThat(client.send("GET", PATH, "").status()).isEqualTo(401);
            assertThat(output).doesNotContain("s3cr3t");
        });
    }

    @ParameterizedTest
    @EnumSource
    void outage_is503(Stack stack) {
        stack.run((client, context) -> {
            String token = client.token("ada");
            context.getBean(JdbcClient.class).sql("drop table latchkey_api_key").update();
            assertThat(client.send("GET", PATH, "", "Authorization", token).status())
                    .isEqualTo(503);
            assertThat(client.issue(token, "\"name\":\"x\"").status()).isEqualTo(503);
        });
    }

    @Test
    void endpoints_areThereWhereTheyAreAskedFor() {
        for (Stack stack : Stack.values()) {
            stack.run(
                    (client, context) -> assertThat(client.send("GET", PATH, "", "Authorization", client.token("ada"))
                                    .status())
                            .isEqualTo(404),
                    "latchkey.plugin.api-keys.endpoints-enabled=false");
        }
    }
}
