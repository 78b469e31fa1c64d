package dev.latchkey.plugins.codes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.plugins.codes.OneTimeCodes;
import dev.latchkey.plugins.codes.Phone;
import dev.latchkey.plugins.codes.SetClock;
import dev.latchkey.plugins.codes.spring.Client.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.jdbc.core.simple.JdbcClient;

/** "Remember this device" from the client's view, on both stacks. */
@Tag("long")
class RememberedDeviceLoginTest {

    private static final Duration STEP = Duration.ofSeconds(30);

    private final SetClock clock = SharedService.CLOCK;

    private void run(Stack stack, BiConsumer<Client, ApplicationContext> test, String... more) {
        List<String> properties = new ArrayList<>(List.of(more));
        properties.add("latchkey.plugin.one-time-codes.endpoints-enabled=true");
        properties.add("latchkey.plugin.one-time-codes.remember-devices=true");
        properties.add("latchkey.login.refresh.enabled=true");
        stack.run(test, properties.toArray(String[]::new));
    }

    private Phone enrol(ApplicationContext context) {
        OneTimeCodes codes = context.getBean(OneTimeCodes.class);
        Phone phone = codes.begin("ada").orElseThrow().key().withText(key -> new Phone(key, clock));
        assertThat(codes.confirm("ada", Secret.of(phone.code()))).isPresent();
        clock.move(STEP);
        return phone;
    }

    private Reply remember(Client client, Phone phone) {
        Reply reply = client.goOnAndRemember(client.login("ada"), phone.code());
        clock.move(STEP);
        return reply;
    }

    private static String claimsOf(Reply reply) {
        String token = reply.member("access_token");
        String claims = token.substring(token.indexOf('.') + 1, token.lastIndexOf('.'));
        return new String(Base64.getUrlDecoder().decode(claims), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource
    void deviceThatIsRemembered_isNotAskedAgain_andItsTokenSaysNothingOfACode(Stack stack) {
        run(stack, (client, context) -> {
            Reply second = remember(client, enrol(context));
            assertThat(second.status()).isEqualTo(200);
            assertThat(second.body()).contains("\"device_expires_in\":2592000");
            assertThat(claimsOf(second)).contains("\"amr\"");
            Reply next = client.loginFrom(second.member("device_token"), "ada");
            assertThat(next.status()).isEqualTo(200);
            assertThat(claimsOf(next)).doesNotContain("\"amr\"", "\"otp\"");
            assertThat(client.login("ada").status()).as("another device").isEqualTo(401);
        });
    }

    @ParameterizedTest
    @EnumSource
    void tokenOfADevice_isRevokedWhereOtherTokensAre_andIsNoneOfThem(Stack stack) {
        run(stack, (client, context) -> {
            Phone phone = enrol(context);
            String revoked = remember(client, phone).member("device_token");
            String other = remember(client, phone).member("device_token");
            assertThat(client.send("GET", "/auth/logins", revoked, "").status())
                    .as("with it in place of an access token")
                    .isEqualTo(401);
            String body = "{\"token\":\"" + revoked + "\"}";
            assertThat(client.send("POST", "/auth/revoke", "", body).status()).isEqualTo(200);
            assertThat(client.loginFrom(revoked, "ada").status()).isEqualTo(401);
            assertThat(client.loginFrom(other, "ada").status()).isEqualTo(200);
        });
    }

    @ParameterizedTest
    @EnumSource
    void deviceIsRemembered_onlyWhereItIsAskedFor(Stack stack) {
        run(stack, (client, context) -> {
            Phone phone = enrol(context);
            Reply second = client.goOn(client.login("ada"), phone.code());
            assertThat(second.body()).contains("access_token").doesNotContain("device_token");
            clock.move(STEP);
            String continuation = client.login("ada").member("continuation");
            String wished = Client.AND_REMEMBER.formatted(continuation, phone.code());
            for (String wish : new String[] {"1", "\"yes\"", "null", "{}"}) {
                assertThat(client.send("POST", "/auth/token", "", wished.replace("true", wish))
                                .status())
                        .as(wish)
                        .isEqualTo(400);
            }
            Reply reply = client.send("POST", "/auth/token", "", wished.replace("true", "false"));
            assertThat(reply.body()).contains("access_token").doesNotContain("device_token");
        });
    }

    @ParameterizedTest
    @EnumSource
    void serviceThatRemembersNone_answersAsBefore_andHasNoListOfThem(Stack stack) {
        BiConsumer<Client, ApplicationContext> test = (client, context) -> {
            Reply second = remember(client, enrol(context));
            assertThat(second.body()).contains("access_token").doesNotContain("device_token");
            String token = second.member("access_token");
            assertThat(client.send("GET", "/auth/codes/devices", token, "").status())
                    .isEqualTo(404);
            assertThat(client.send("DELETE", "/auth/codes/devices", token, "").status())
                    .isEqualTo(404);
        };
        stack.run(test, "latchkey.plugin.one-time-codes.endpoints-enabled=true");
    }

    @ParameterizedTest
    @EnumSource
    void owner_seesDevices_andForgetsOne_orAll(Stack stack) {
        run(stack, (client, context) -> {
            Phone phone = enrol(context);
            Reply first = remember(client, phone);
            Reply second = remember(client, phone);
            String token = first.member("access_token");
            Reply list = client.send("GET", "/auth/codes/devices", token, "");
            assertThat(list.status()).isEqualTo(200);
            assertThat(list.member("name")).isEqualTo("Browser/1.0 (Phone small)");
            assertThat(Instant.parse(list.member("until")))
                    .isEqualTo(Instant.parse(list.member("since")).plus(Duration.ofDays(30)));
            assertThat(list.body()).doesNotContain(second.member("device_token"));
            String path = "/auth/codes/devices/" + list.member("id");

            String bobs = client.login("bob").member("access_token");
            assertThat(client.send("GET", "/auth/codes/devices", bobs, "").body())
                    .isEqualTo("{\"devices\":[]}");
            assertThat(client.send("DELETE", path, bobs, "").status()).isEqualTo(404);
            assertThat(client.send("DELETE", path, "", "").status()).isIn(401, 403);
            assertThat(client.send("DELETE", path, token, "")).isEqualTo(new Reply(200, "{\"remembered\":false}"));
            assertThat(client.send("DELETE", path, token, "").status()).isEqualTo(404);
            assertThat(client.loginFrom(second.member("device_token"), "ada").status())
                    .isEqualTo(401);
            assertThat(client.loginFrom(first.member("device_token"), "ada").status())
                    .isEqualTo(200);
            assertThat(client.send("DELETE", "/auth/codes/devices", token, ""))
                    .isEqualTo(new Reply(200, "{\"devices\":[]}"));
            assertThat(client.loginFrom(first.member("device_token"), "ada").status())
                    .isEqualTo(401);
        });
    }

    @ParameterizedTest
    @EnumSource
    void tokenOfADevice_isNoOtherToken_andNoOtherIsOne(Stack stack) {
        run(stack, (client, context) -> {
            Reply login = remember(client, enrol(context));
            String device = login.member("device_token");
            assertThat(client.get("Bearer " + device).status()).isEqualTo(401);
            String refresh = "{\"refresh_token\":\"" + device + "\"}";
            assertThat(client.send("POST", "/auth/token", "", refresh).status()).isEqualTo(401);
            assertThat(client.goOn(client.login("ada"), device).status()).isEqualTo(401);
            for (String other : new String[] {login.member("access_token"), login.member("refresh_token")}) {
                assertThat(client.loginFrom(other, "ada").status()).isEqualTo(401);
            }
        });
    }

    /**
     * The manager in front of the chain knows the device. A manager of the service knows no plugin with remembered devices.
     */
    @ParameterizedTest
    @EnumSource
    void basicFromADevice_isLetInWhereTheChainDecides_andNowhereElse(Stack stack) {
        assertDeviceIsAnswered(stack, 404);
        assertDeviceIsAnswered(stack, 401, "latchkey.authentication-manager.enabled=false");
    }

    private void assertDeviceIsAnswered(Stack stack, int status, String... properties) {
        run(
                stack,
                (client, context) -> {
                    String device = remember(client, enrol(context)).member("device_token");
                    String basic = "Basic " + HttpHeaders.encodeBasicAuth("ada", Services.PASSWORD, null);
                    Map<String, String> both = Map.of("Authorization", basic, "Latchkey-Device", device);
                    assertThat(client.request("GET", "/hello", both, "").status())
                            .isEqualTo(status);
                    assertThat(client.get(basic).status()).isEqualTo(401);
                },
                properties);
    }

    @ParameterizedTest
    @EnumSource
    void guessesAtThePassword_areLimitedOnARememberedDeviceToo(Stack stack) {
        run(stack, (client, context) -> {
            Map<String, String> device =
                    Map.of("Latchkey-Device", remember(client, enrol(context)).member("device_token"));
            String wrong = Client.LOGIN.replace(Services.PASSWORD, "wrong%d");
            int status = 401;
            int guesses = 0;
            while (status == 401 && guesses < 100) {
                guesses++;
                status = client.request("POST", "/auth/token", device, wrong.formatted("ada", guesses))
                        .status();
            }
            assertThat(status).isEqualTo(429);
        });
    }

    @ParameterizedTest
    @EnumSource
    void revocationOfTheAccount_endsIt_andAnOutageOfTheTableLetsNobodyIn(Stack stack) {
        run(stack, (client, context) -> {
            String before = remember(client, enrol(context)).member("device_token");
            context.getBean(AuthChain.class).revokeAll("ada", clock.instant());
            assertThat(client.loginFrom(before, "ada").status()).isEqualTo(401);
            context.getBean(JdbcClient.class)
                    .sql("alter table latchkey_one_time_codes rename to gone")
                    .update();
            assertThat(client.loginFrom(before, "ada").status()).isEqualTo(503);
        });
    }
}
