package dev.latchkey.plugins.apikeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.plugins.apikeys.ApiKeySettings;
import dev.latchkey.plugins.apikeys.ApiKeys;
import dev.latchkey.plugins.apikeys.Checksums;
import dev.latchkey.plugins.apikeys.IssuedKey;
import dev.latchkey.plugins.apikeys.KeyDigests;
import dev.latchkey.plugins.apikeys.KeyRequest;
import dev.latchkey.plugins.apikeys.spring.KeyClient.Reply;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Requests with keys, to a service that has nothing but the dependency, a key file and the table; on both stacks. */
@Tag("long")
class RequestsWithKeysTest {

    private static String issue(ApiKeys keys, String account, String... scopes) {
        IssuedKey issued = (IssuedKey) keys.issue(new KeyOwner(account, "users"), KeyRequest.named("ci", scopes));
        return issued.text().withText(CharSequence::toString);
    }

    private static String damaged(String key) {
        return key.substring(0, key.length() - 1) + (key.endsWith("0") ? '1' : '0');
    }

    @ParameterizedTest
    @EnumSource
    void key_isTakenInItsOwnField_andAsABearerToken_andGivesItsScopes(Stack stack) {
        stack.run((client, context) -> {
            String bare = issue(context.getBean(ApiKeys.class), "ada");
            String reading = issue(context.getBean(ApiKeys.class), "ada", "orders.read");
            for (String[] field : new String[][] {{"X-API-Key", ""}, {"Authorization", "Bearer "}}) {
                assertThat(client.hello(field[0], field[1] + bare).body()).isEqualTo("Hello ada");
                assertThat(client.send("GET", "/orders", "", field[0], field[1] + bare)
                                .status())
                        .isEqualTo(403);
                assertThat(client.send("GET", "/orders", "", field[0], field[1] + reading)
                                .body())
                        .isEqualTo("orders");
            }
            assertThat(client.hello("Authorization", client.token("bob")).body())
                    .as("tokens of others are left alone")
                    .isEqualTo("Hello bob");
        });
    }

    @ParameterizedTest
    @EnumSource
    void key_writesToo_whereTheServiceKeepsItsCsrfProtection(Stack stack) {
        stack.run((client, context) -> {
            String key = issue(context.getBean(ApiKeys.class), "ada");
            assertThat(client.send("POST", "/hello", "", "X-API-Key", key).body())
                    .isEqualTo("Hello ada");
            assertThat(client.send("POST", "/hello", "", "Authorization", "Bearer " + key)
                            .body())
                    .isEqualTo("Hello ada");
            assertThat(client.send("POST", "/hello", "").status())
                    .as("the protection is there")
                    .isEqualTo(403);
        });
    }

    @ParameterizedTest
    @EnumSource
    void keyInTheUrl_isNone(Stack stack) {
        stack.run((client, context) -> {
            String key = issue(context.getBean(ApiKeys.class), "ada");
            for (String name : new String[] {"X-API-Key", "api_key", "access_token"}) {
                assertThat(client.send("GET", "/hello?" + name + "=" + key, "").status())
                        .isEqualTo(401);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void keyBesideOtherCredentials_isRefused(Stack stack) {
        stack.run((client, context) -> {
            String key = issue(context.getBean(ApiKeys.class), "ada");
            String basic = "Basic YWRhOmNvcnJlY3QtaG9yc2UtYmF0dGVyeQ==";
            assertThat(client.hello("Authorization", basic).status()).isEqualTo(200);
            for (String other : new String[] {basic, client.token("bob"), "Bearer " + key}) {
                assertThat(client.hello("X-API-Key", key, "Authorization", other)
                                .status())
                        .isEqualTo(400);
            }
            assertThat(client.hello("Authorization", "Bearer " + key, "Authorization", basic)
                            .status())
                    .isEqualTo(400);
        });
    }

    @ParameterizedTest
    @EnumSource
    void fieldThatIsNoKey_isAnsweredAsAWrongKey(Stack stack) {
        stack.run((client, context) -> {
            String key = issue(context.getBean(ApiKeys.class), "ada");
            String token = client.token("bob");
            Reply wrong = client.hello("X-API-Key", "lk_");
            Reply wrongBesideAToken = client.hello("X-API-Key", "lk_", "Authorization", token);
            assertThat(wrong.status()).isEqualTo(401);
            assertThat(wrongBesideAToken.status()).isEqualTo(400);
            for (String[] fields : new String[][] {
                {"X-API-Key", "x y", "X-API-Key", "x y"},
                {"X-API-Key", key, "X-API-Key", damaged(key)},
                {"X-API-Key", key, "X-API-Key", key},
                {"X-API-Key", ""},
                {"X-API-Key", key + "\u00e9"},
                {"X-API-Key", "x".repeat(300)}
            }) {
                assertThat(client.hello(fields)).as(String.join(" ", fields)).isEqualTo(wrong);
                String[] besideAToken = Arrays.copyOf(fields, fields.length + 2);
                besideAToken[fields.length] = "Authorization";
                besideAToken[fields.length + 1] = token;
                assertThat(client.hello(besideAToken))
                        .as(String.join(" ", fields))
                        .isEqualTo(wrongBesideAToken);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void keysThatAreNotGood_areAnsweredAlike(Stack stack) {
        stack.run((client, context) -> {
            ApiKeys keys = context.getBean(ApiKeys.class);
            JdbcClient jdbc = context.getBean(JdbcClient.class);
            String expired = issue(keys, "ada");
            String revoked = issue(keys, "ada");
            String good = issue(keys, "ada");
            String othersSecret = issue(keys, "bob");
            String ofADeletedAccount = issue(keys, "nobody");
            jdbc.sql("update latchkey_api_key set expires = 1 where id = ?")
                    .param(expired.substring(3, 15))
                    .update();
            keys.revoke("ada", revoked.substring(3, 15));
            Map<String, String> bad = new LinkedHashMap<>();
            bad.put("expired", expired);
            bad.put("revoked", revoked);
            bad.put("damaged", damaged(good));
            bad.put("unknown", ApiKeysOfAnotherService.key());
            bad.put("of an account that is gone", ofADeletedAccount);
            bad.put("nonsense", "x");
            Reply first = client.hello("X-API-Key", "lk_");
            assertThat(first.status()).isEqualTo(401);
            assertThat(first.headers().get("WWW-Authenticate"))
                    .containsExactly("Bearer realm=\"Realm\", ApiKey header=\"X-API-Key\"");
            bad.forEach((why, key) -> {
                Reply reply = client.request(
                        "192.0.2." + (10 + bad.size() + why.length()), "GET", "/hello", "", "X-API-Key", key);
                assertThat(reply.status()).as(why).isEqualTo(401);
                assertThat(reply.body()).as(why).isEqualTo(first.body());
                assertThat(reply.headers().toString())
                        .as(why)
                        .isEqualTo(first.headers().toString());
            });
            assertThat(client.hello("X-API-Key", good).status()).isEqualTo(200);
            assertThat(client.hello("X-API-Key", othersSecret).body()).isEqualTo("Hello bob");
        });
    }

    /** A key of another service, unknown here. */
    private static final class ApiKeysOfAnotherService {

        static String key() {
            ApiKeys keys = ApiKeys.of(
                    new InMemoryApiKeyStore(),
                    KeyDigests.of(Secret.of(new byte[32])),
                    ApiKeySettings.defaults(),
                    (plugin, account) -> Optional.empty());
            return issue(keys, "ada");
        }
    }

    @ParameterizedTest
    @EnumSource
    void wrongKeys_meetTheLimitsOfTheirSource(Stack stack) {
        stack.run((client, context) -> {
            String good = issue(context.getBean(ApiKeys.class), "ada");
            assertThat(client.hello("X-API-Key", good).status()).isEqualTo(200);
            int refused = 0;
            for (int i = 0; i < 60; i++) {
                int status = client.request(KeyClient.OWN_ADDRESS, "GET", "/hello", "", "X-API-Key", wrong(good, i))
                        .status();
                assertThat(status).isIn(401, 429);
                refused += status == 429 ? 1 : 0;
            }
            assertThat(refused)
                    .as("of 60, where 50 are allowed, and a few more in time")
                    .isBetween(1, 10);
            assertThat(client.hello("X-API-Key", good).status())
                    .as("the owner at the same address, where the key was good before")
                    .isEqualTo(200);
        });
    }

    /** From many addresses, each within the address's limit: together more than an account's limit. */
    @ParameterizedTest
    @EnumSource
    void callerThatKnowsTheIdOfAKey_doesNotLockItsOwnerOut(Stack stack) {
        stack.run((client, context) -> {
            String good = issue(context.getBean(ApiKeys.class), "ada");
            for (int i = 0; i < 120; i++) {
                String attacker = "203.0." + (i / 3) + ".1";
                assertThat(client.request(attacker, "GET", "/hello", "", "X-API-Key", wrong(good, i))
                                .status())
                        .isEqualTo(401);
            }
            assertThat(client.hello("X-API-Key", good).status()).isEqualTo(200);
            assertThat(client.request("198.51.100.7", "GET", "/hello", "", "X-API-Key", good)
                            .status())
                    .isEqualTo(200);
        });
    }

    private static String wrong(String good, int number) {
        String wrong = good.substring(0, 16) + "%043d".formatted(number);
        return wrong + Checksums.of(wrong);
    }

    @ParameterizedTest
    @EnumSource
    void outageOfTheTable_isNoRejection(Stack stack) {
        stack.run((client, context) -> {
            String key = issue(context.getBean(ApiKeys.class), "ada");
            context.getBean(JdbcClient.class)
                    .sql("alter table latchkey_api_key rename to elsewhere")
                    .update();
            assertThat(client.hello("X-API-Key", key).status()).isEqualTo(503);
            assertThat(client.hello("Authorization", "Bearer " + key).status()).isEqualTo(503);
            assertThat(client.hello("X-API-Key", damaged(key)).status())
                    .as("needs no table")
                    .isEqualTo(401);
            assertThat(client.hello("Authorization", client.token("bob")).status())
                    .as("others do not notice")
                    .isEqualTo(200);
            context.getBean(JdbcClient.class)
                    .sql("alter table elsewhere rename to latchkey_api_key")
                    .update();
            assertThat(client.hello("X-API-Key", key).status()).isEqualTo(200);
        });
    }

    @ParameterizedTest
    @EnumSource
    void logoutWithAKey_andARevocationOfTheAccount_endKeys(Stack stack) {
        stack.run((client, context) -> {
            ApiKeys keys = context.getBean(ApiKeys.class);
            String first = issue(keys, "ada");
            String second = issue(keys, "ada");
            String third = issue(keys, "ada");
            assertThat(client.send("POST", "/auth/logout", "", "X-API-Key", first)
                            .status())
                    .isEqualTo(204);
            assertThat(client.hello("X-API-Key", first).status()).isEqualTo(401);
            assertThat(client.send("POST", "/auth/logout", "", "Authorization", "Bearer " + second)
                            .status())
                    .isEqualTo(204);
            assertThat(client.hello("X-API-Key", second).status()).isEqualTo(401);
            assertThat(client.hello("X-API-Key", third).status()).isEqualTo(200);
            context.getBean(AuthChain.class)
                    .revokeAll("ada", SharedService.CLOCK.instant().plusMillis(1));
            assertThat(client.hello("X-API-Key", third).status()).isEqualTo(401);
        });
    }

    /** Otherwise the key would work again with its account. */
    @ParameterizedTest
    @EnumSource
    void keyWhoseAccountIsGone_endsWithALogout(Stack stack) {
        stack.run((client, context) -> {
            ApiKeys keys = context.getBean(ApiKeys.class);
            String key = issue(keys, "gone");
            assertThat(client.hello("X-API-Key", key).status()).isEqualTo(401);
            assertThat(client.send("POST", "/auth/logout", "", "X-API-Key", key).status())
                    .isEqualTo(204);
            assertThat(keys.list("gone")).isEmpty();
        });
    }

    /** As a secret scanner sends a found key to the revocation endpoint. */
    @ParameterizedTest
    @EnumSource
    void keyThatIsSentToBeRevoked_isWorthless(Stack stack) {
        stack.run((client, context) -> {
            ApiKeys keys = context.getBean(ApiKeys.class);
            String found = issue(keys, "ada");
            String other = issue(keys, "ada");
            for (String text : new String[] {damaged(other), found, found}) {
                assertThat(client.send("POST", "/auth/revoke", "{\"token\":\"" + text + "\"}")
                                .status())
                        .isEqualTo(200);
            }
            assertThat(client.hello("X-API-Key", found).status()).isEqualTo(401);
            assertThat(client.hello("X-API-Key", other).status()).isEqualTo(200);
        });
    }

    @ParameterizedTest
    @EnumSource
    void fieldAndPrefix_areThoseOfTheSettings(Stack stack) {
        stack.run(
                (client, context) -> {
                    String key = issue(context.getBean(ApiKeys.class), "ada");
                    assertThat(key).startsWith("acme_live_");
                    assertThat(client.hello("X-Acme", key).status()).isEqualTo(200);
                    assertThat(client.hello("X-API-Key", key).status()).isEqualTo(401);
                    assertThat(client.hello("Authorization", "Bearer " + key).status())
                            .isEqualTo(200);
                },
                "latchkey.plugin.api-keys.header=X-Acme",
                "latchkey.plugin.api-keys.prefix=acme_live_");
    }
}
