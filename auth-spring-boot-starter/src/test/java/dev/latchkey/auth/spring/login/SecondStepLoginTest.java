package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Logins that take two steps, and grants of a plugin's own, as a client meets them on both stacks. */
@Tag("long")
class SecondStepLoginTest {

    private static final String GOOD = "{\"continuation\":\"%s\",\"code\":\"" + StepPlugin.CODE + "\"}";
    private static final String WRONG = "{\"continuation\":\"%s\",\"code\":\"000000\"}";
    private static final String[] PROPERTIES = {
        "latchkey.jwt.secret=" + Services.KEY,
        "latchkey.login.enabled=true",
        "latchkey.login.refresh.enabled=true",
        "latchkey.plugins=users,jwt,codes",
        "latchkey.tenant-header=X-Tenant"
    };

    record Reply(int status, String challenge, String body) {
        String member(String name) {
            Matcher matcher = Pattern.compile("\"" + name + "\":(?:\"([^\"]*)\"|([0-9]+))")
                    .matcher(body);
            assertThat(matcher.find()).as("%s in %s", name, body).isTrue();
            return matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        }
    }

    /** A service, wherever it runs. */
    interface Client {
        Reply post(String path, String json, String from, String tenant);

        /** What {@code /authorities} answers. */
        Reply authoritiesOf(String authorization);

        default String authorities(String token) {
            return authoritiesOf("Bearer " + token).body();
        }

        default Reply login(String json) {
            return post("/auth/token", json, "192.0.2.1", "");
        }
    }

    interface Stack {
        void run(BiConsumer<Client, StepPlugin> test);
    }

    static Stream<Named<Stack>> stacks() {
        return Stream.of(
                Named.of("servlet", SecondStepLoginTest::onServlets),
                Named.of("WebFlux", SecondStepLoginTest::onWebFlux));
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void rightPassword_isAnsweredWithWhatIsWanted_andTheCodeWithTokens(Stack stack) {
        stack.run((client, plugin) -> {
            Reply first = client.login(Services.LOGIN);
            assertThat(first.status()).isEqualTo(401);
            assertThat(first.challenge()).startsWith("Bearer");
            assertThat(first.member("type")).isEqualTo("tag:latchkey.dev,2026:next-step");
            assertThat(first.member("method")).isEqualTo("otp");
            assertThat(first.member("expires_in")).isEqualTo("300");
            assertThat(first.body()).doesNotContain("token").doesNotContain("alice");
            Reply second = client.login(GOOD.formatted(first.member("continuation")));
            assertThat(second.status()).isEqualTo(200);
            assertThat(client.authorities(second.member("access_token")))
                    .isEqualTo("[FACTOR_OTT, FACTOR_PASSWORD, ROLE_USER]");
            assertThat(claimsOf(second).get("amr")).isEqualTo(List.of("otp", "pwd"));
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void refreshedToken_isOfTheSameFactorsAndTheirTime(Stack stack) {
        stack.run((client, plugin) -> {
            Reply first = client.login(Services.LOGIN);
            Reply login = client.login(GOOD.formatted(first.member("continuation")));
            Reply refreshed = client.post(
                    "/auth/token", "{\"refresh_token\":\"" + login.member("refresh_token") + "\"}", "192.0.2.1", "");
            assertThat(claimsOf(refreshed).get("amr")).isEqualTo(List.of("otp", "pwd"));
            assertThat(claimsOf(refreshed).get("auth_time"))
                    .isEqualTo(claimsOf(login).get("auth_time"));
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void accountThatNeedsNoStep_logsInAsBefore(Stack stack) {
        stack.run((client, plugin) -> {
            Reply login = client.login(Services.LOGIN.replace("alice", "bob"));
            assertThat(login.status()).isEqualTo(200);
            assertThat(client.authorities(login.member("access_token"))).isEqualTo("[ROLE_USER]");
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void wrongCode_isAnsweredAsAWrongPassword_andItsContinuationIsSpent(Stack stack) {
        stack.run((client, plugin) -> {
            Reply wrongPassword = client.login(Services.LOGIN.replace(Services.PASSWORD, "wrong"));
            String continuation = client.login(Services.LOGIN).member("continuation");
            assertThat(client.login(WRONG.formatted(continuation))).isEqualTo(wrongPassword);
            assertThat(client.login(GOOD.formatted(continuation))).isEqualTo(wrongPassword);
            assertThat(plugin.guesses).hasValue(1);
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void continuation_isGoodOnce(Stack stack) {
        stack.run((client, plugin) -> {
            String continuation = client.login(Services.LOGIN).member("continuation");
            assertThat(client.login(GOOD.formatted(continuation)).status()).isEqualTo(200);
            assertThat(client.login(GOOD.formatted(continuation)).status()).isEqualTo(401);
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void continuation_isGoodWhereTheLoginBeganOnly(Stack stack) {
        stack.run((client, plugin) -> {
            String stolen = client.login(Services.LOGIN).member("continuation");
            assertThat(client.post("/auth/token", GOOD.formatted(stolen), "198.51.100.9", "")
                            .status())
                    .isEqualTo(401);
            String ofAnother = client.login(Services.LOGIN).member("continuation");
            assertThat(client.post("/auth/token", GOOD.formatted(ofAnother), "192.0.2.1", "emea")
                            .status())
                    .isEqualTo(401);
            assertThat(plugin.guesses).hasValue(0);
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void malformedContinuation_isRefused(Stack stack) {
        stack.run((client, plugin) -> {
            for (String text : List.of("", "x", "x".repeat(2_000), "\\u0000", "\\ud83d\\ude00")) {
                assertThat(client.login(GOOD.formatted(text)).status()).isEqualTo(401);
            }
            assertThat(client.login("{\"continuation\":\"x\",\"code\":\"\\ud800\"}")
                            .status())
                    .isEqualTo(400);
            String continuation = client.login(Services.LOGIN).member("continuation");
            for (String code : List.of("", ",\"code\":123456", ",\"code\":null")) {
                Reply reply = client.login("{\"continuation\":\"" + continuation + "\"" + code + "}");
                assertThat(reply.status()).isEqualTo(400);
            }
            assertThat(client.login(GOOD.formatted(continuation)).status())
                    .as("a request without a code spends nothing")
                    .isEqualTo(200);
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void guessesAtCodes_areLimitedAsThoseAtPasswordsAre(Stack stack) {
        stack.run((client, plugin) -> {
            int guesses = 0;
            Reply reply = client.login(Services.LOGIN);
            while (reply.status() == 401 && guesses < 100) {
                client.login(WRONG.formatted(reply.member("continuation")));
                guesses++;
                reply = client.login(Services.LOGIN);
            }
            assertThat(reply.status()).isEqualTo(429);
            assertThat(guesses).isEqualTo(5);
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void basic_cannotTakeASecondStep_andDoesNotDoWithoutIt(Stack stack) {
        stack.run((client, plugin) -> {
            assertThat(client.authoritiesOf(ReactiveServices.basic("alice", Services.PASSWORD))
                            .status())
                    .isEqualTo(401);
            assertThat(client.authoritiesOf(ReactiveServices.basic("bob", Services.PASSWORD))
                            .status())
                    .isEqualTo(200);
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void device_isRememberedWhereItIsWished_andALoginDoesNotFailForIt(Stack stack) {
        stack.run((client, plugin) -> {
            String wish = GOOD.replace("}", ",\"remember_device\":%s}");
            Reply remembered = client.login(wish.formatted(next(client), "true"));
            assertThat(remembered.member("device_token")).isEqualTo(StepPlugin.DEVICE);
            assertThat(remembered.member("device_expires_in")).isEqualTo("86400");
            assertThat(client.login(wish.formatted(next(client), "\"true\"")).body())
                    .contains("device_token");
            assertThat(client.login(wish.formatted(next(client), "false")).body())
                    .contains("access_token")
                    .doesNotContain("device");
            assertThat(client.login(GOOD.formatted(next(client))).body()).doesNotContain("device");
            assertThat(client.login(WRONG.replace("}", ",\"remember_device\":true}")
                                    .formatted(next(client)))
                            .body())
                    .doesNotContain("device");
            plugin.isUp.set(false);
            Reply anyway = client.login(wish.formatted(next(client), "true"));
            assertThat(anyway.status()).isEqualTo(200);
            assertThat(anyway.body()).contains("access_token").doesNotContain("device");
        });
    }

    @Test
    void device_isNamedAsNacosNamesTokens_whereThatIsTheShape() {
        onServlets(
                (client, plugin) -> {
                    String wish = GOOD.replace("}", ",\"remember_device\":true}");
                    Reply remembered =
                            client.post("/nacos/v1/auth/users/login", wish.formatted(next(client)), "192.0.2.1", "");
                    assertThat(remembered.member("deviceToken")).isEqualTo(StepPlugin.DEVICE);
                    assertThat(remembered.member("deviceTokenTtl")).isEqualTo("86400");
                },
                "latchkey.login.response=nacos");
    }

    private static String next(Client client) {
        return client.login(Services.LOGIN).member("continuation");
    }

    /** Basic with the right password costs nothing, and makes nothing cheaper: the bucket's five are left, each for a challenge. */
    @ParameterizedTest
    @MethodSource("stacks")
    void guessesAtCodes_areNoCheaperAfterBasicWithThatPassword(Stack stack) {
        stack.run((client, plugin) -> {
            client.authoritiesOf(ReactiveServices.basic("alice", Services.PASSWORD));
            int guesses = 0;
            Reply reply = client.login(Services.LOGIN);
            while (reply.status() == 401 && guesses < 100) {
                client.login(WRONG.formatted(reply.member("continuation")));
                guesses++;
                reply = client.login(Services.LOGIN);
            }
            assertThat(reply.status()).isEqualTo(429);
            assertThat(guesses).isEqualTo(5);
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void grantOfAPlugin_isALoginAsAnyOther(Stack stack) {
        stack.run((client, plugin) -> {
            Reply good = client.login("{\"grant_type\":\"urn:example:ticket\",\"ticket\":\"7\"}");
            assertThat(good.status()).isEqualTo(200);
            assertThat(claimsOf(good))
                    .containsEntry("sub", "codes:guest")
                    .containsEntry("seat", 7L)
                    .doesNotContainKey("amr");
            assertThat(good.body()).doesNotContain("issued_token_type");
            Reply exchanged = client.login("{\"grant_type\":\"" + StepPlugin.EXCHANGE + "\",\"ticket\":\"7\"}");
            assertThat(claimsOf(exchanged)).containsEntry("sub", "codes:guest");
            assertThat(exchanged.member("issued_token_type"))
                    .isEqualTo("urn:ietf:params:oauth:token-type:access_token");
            assertThat(client.login("{\"grant_type\":\"" + StepPlugin.EXCHANGE + "\",\"ticket\":\"8\"}")
                            .member("error"))
                    .isEqualTo("invalid_grant");
            assertThat(client.login("{\"grant_type\":\"urn:example:ticket\",\"ticket\":\"8\"}")
                            .member("error"))
                    .isEqualTo("invalid_grant");
            Reply unknown = client.login("{\"grant_type\":\"urn:example:other\",\"ticket\":\"7\"}");
            assertThat(unknown.status()).isEqualTo(400);
            assertThat(unknown.member("error")).isEqualTo("unsupported_grant_type");
        });
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void claimsOfTheServicesBean_areInEachToken(Stack stack) {
        stack.run((client, plugin) -> {
            Reply login = client.login(Services.LOGIN.replace("alice", "bob"));
            assertThat(claimsOf(login)).containsEntry("region", "emea of bob");
            Reply refreshed = client.post(
                    "/auth/token", "{\"refresh_token\":\"" + login.member("refresh_token") + "\"}", "192.0.2.1", "");
            assertThat(claimsOf(refreshed)).containsEntry("region", "emea of bob");
        });
    }

    private static Map<String, Object> claimsOf(Reply reply) {
        byte[] key = Base64.getDecoder().decode(Services.KEY);
        VerifiedJwt jwt = JwtVerifier.with(HmacKey.of(key)).verifyOrThrow(reply.member("access_token"));
        return jwt.claims();
    }

    private static void onServlets(BiConsumer<Client, StepPlugin> test, String... properties) {
        StepPlugin plugin = new StepPlugin();
        Services.web()
                .withUserConfiguration(TwoAccounts.class, Authorities.class)
                .withBean("codes", StepPlugin.class, () -> plugin)
                .withPropertyValues(PROPERTIES)
                .withPropertyValues(properties)
                .run(context -> test.accept(new ServletClient(Services.mvc(context)), plugin));
    }

    private static void onWebFlux(BiConsumer<Client, StepPlugin> test) {
        StepPlugin plugin = new StepPlugin();
        ReactiveServices.web()
                .withUserConfiguration(TwoReactiveAccounts.class, Authorities.class)
                .withBean("codes", StepPlugin.class, () -> plugin)
                .withPropertyValues(PROPERTIES)
                .withPropertyValues("latchkey.guard.trusted-proxies=192.0.2.1")
                .run(context -> test.accept(new ReactiveClient(ReactiveServices.client(context)), plugin));
    }

    private record ServletClient(MockMvc mvc) implements Client {

        @Override
        public Reply post(String path, String json, String from, String tenant) {
            try {
                MockHttpServletResponse response = mvc.perform(MockMvcRequestBuilders.post(path)
                                .contentType(MediaType.APPLICATION_JSON)
                                .content(json)
                                .header("X-Tenant", tenant.isEmpty() ? new String[] {"none"} : new String[] {tenant})
                                .with(request -> {
                                    request.setRemoteAddr(from);
                                    return request;
                                }))
                        .andReturn()
                        .getResponse();
                return new Reply(
                        response.getStatus(),
                        String.valueOf(response.getHeader("WWW-Authenticate")),
                        response.getContentAsString(StandardCharsets.UTF_8));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public Reply authoritiesOf(String authorization) {
            try {
                MockHttpServletResponse response = mvc.perform(
                                MockMvcRequestBuilders.get("/authorities").header("Authorization", authorization))
                        .andReturn()
                        .getResponse();
                return new Reply(response.getStatus(), "", response.getContentAsString());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private record ReactiveClient(WebTestClient client) implements Client {

        @Override
        public Reply post(String path, String json, String from, String tenant) {
            EntityExchangeResult<String> result = client.post()
                    .uri(path)
                    .contentType(MediaType.APPLICATION_JSON)
                    .header("X-Forwarded-For", from.equals("192.0.2.1") ? "192.0.2.77" : from)
                    .header("X-Tenant", tenant.isEmpty() ? "none" : tenant)
                    .bodyValue(json)
                    .exchange()
                    .expectBody(String.class)
                    .returnResult();
            return new Reply(
                    result.getStatus().value(),
                    String.valueOf(result.getResponseHeaders().getFirst("WWW-Authenticate")),
                    Optional.ofNullable(result.getResponseBody()).orElse(""));
        }

        @Override
        public Reply authoritiesOf(String authorization) {
            EntityExchangeResult<String> result = client.get()
                    .uri("/authorities")
                    .header("Authorization", authorization)
                    .header("X-Forwarded-For", "192.0.2.77")
                    .exchange()
                    .expectBody(String.class)
                    .returnResult();
            return new Reply(
                    result.getStatus().value(),
                    "",
                    Optional.ofNullable(result.getResponseBody()).orElse(""));
        }
    }

    private static UserDetails user(String name, PasswordEncoder encoder) {
        return User.withUsername(name)
                .password(encoder.encode(Services.PASSWORD))
                .authorities("ROLE_USER")
                .build();
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoAccounts {

        @Bean
        PasswordEncoder passwordEncoder() {
            return new BCryptPasswordEncoder(4);
        }

        @Bean
        InMemoryUserDetailsManager accounts(PasswordEncoder encoder) {
            return new InMemoryUserDetailsManager(user("alice", encoder), user("bob", encoder));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoReactiveAccounts {

        @Bean
        PasswordEncoder passwordEncoder() {
            return new BCryptPasswordEncoder(4);
        }

        @Bean
        MapReactiveUserDetailsService accounts(PasswordEncoder encoder) {
            return new MapReactiveUserDetailsService(user("alice", encoder), user("bob", encoder));
        }
    }

    @RestController
    static class Authorities {

        @Bean
        TokenCustomizer regions() {
            return (login, options) -> login.subject().id().equals("guest")
                    ? options
                    : options.withClaim("region", "emea of " + login.subject().id());
        }

        @GetMapping("/authorities")
        String authorities(Authentication login) {
            return login.getAuthorities().stream()
                    .map(GrantedAuthority::getAuthority)
                    .sorted()
                    .toList()
                    .toString();
        }
    }
}
