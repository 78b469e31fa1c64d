package dev.latchkey.plugins.codes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.JsonBody;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.plugins.codes.InMemoryCodeStore;
import dev.latchkey.plugins.codes.OneTimeCodes;
import dev.latchkey.plugins.codes.OneTimeCodesPlugin;
import dev.latchkey.plugins.codes.OwnCodes;
import dev.latchkey.plugins.codes.Phone;
import dev.latchkey.plugins.codes.RememberedDevices;
import dev.latchkey.plugins.codes.SecretKeys;
import dev.latchkey.plugins.codes.SetClock;
import dev.latchkey.plugins.codes.spring.Client.Reply;
import dev.latchkey.testsupport.LogLines;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.env.MockEnvironment;

/** A user's own enrolment over HTTP, as the README's commands do it, on both stacks. */
@Tag("long")
class CodesEndpointTest {

    private static final Duration STEP = Duration.ofSeconds(30);
    private static final String PROOF = "{\"password\":\"" + Services.PASSWORD + "\",\"code\":\"%s\"}";

    private static final JsonBody NOTHING = () -> new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8));

    private final SetClock clock = SharedService.CLOCK;

    private void run(Stack stack, Consumer<Client> test) {
        stack.run((client, context) -> test.accept(client), "latchkey.plugin.one-time-codes.endpoints-enabled=true");
    }

    /** The same, from this address: the services trust the client as a proxy. */
    private static Client from(String address, Client proxy) {
        return with("X-Forwarded-For", address, proxy);
    }

    private static Client with(String field, String value, Client client) {
        return (method, path, headers, json) -> {
            Map<String, String> all = new HashMap<>(headers);
            all.put(field, value);
            return client.request(method, path, all, json);
        };
    }

    private Phone enrol(Client client, String token) {
        Reply begun = client.send("POST", "/auth/codes", token, PROOF.formatted(""));
        assertThat(begun.status()).isEqualTo(200);
        Phone phone = new Phone(begun.member("secret"), clock);
        assertThat(client.send("POST", "/auth/codes/confirm", token, "{\"code\":\"" + phone.code() + "\"}")
                        .status())
                .isEqualTo(200);
        clock.move(STEP);
        return phone;
    }

    @ParameterizedTest
    @EnumSource
    void clientThatAcceptsNoJson_isRefusedBeforeAnyEffect(Stack stack) {
        run(stack, client -> {
            String token = client.login("ada").member("access_token");
            Phone phone = enrol(with("Accept", "application/json", client), token);
            String proof = PROOF.formatted(phone.code());
            for (String accepted : List.of("text/html", "x")) {
                assertThat(with("Accept", accepted, client)
                                .send("DELETE", "/auth/codes", token, proof)
                                .status())
                        .isEqualTo(406);
            }
            assertThat(client.send("DELETE", "/auth/codes", token, proof).status())
                    .isEqualTo(200);
        });
    }

    @ParameterizedTest
    @EnumSource
    void user_enrols_logsInWithACodeAndARecoveryCode_andDisables(Stack stack) {
        run(stack, client -> {
            String token = client.login("ada").member("access_token");
            Reply begun = client.send("POST", "/auth/codes", token, PROOF.formatted(""));
            assertThat(begun.status()).isEqualTo(200);
            assertThat(begun.member("uri")).startsWith("otpauth://totp/Example:ada?secret=" + begun.member("secret"));
            assertThat(begun.member("qr_code")).startsWith("<svg ").endsWith("</svg>");
            Phone phone = new Phone(begun.member("secret"), clock);
            Reply confirmed = client.send("POST", "/auth/codes/confirm", token, "{\"code\":\"" + phone.code() + "\"}");
            Matcher recovery =
                    Pattern.compile("\"([0-9A-Z]{4}(?:-[0-9A-Z]{4}){3})\"").matcher(confirmed.body());
            assertThat(recovery.find()).isTrue();

            assertThat(client.goOn(client.login("ada"), recovery.group(1)).status())
                    .isEqualTo(200);
            clock.move(STEP);
            assertThat(client.goOn(client.login("ada"), phone.code()).status()).isEqualTo(200);
            clock.move(STEP);
            assertThat(client.send("DELETE", "/auth/codes", token, PROOF.formatted(phone.code())))
                    .isEqualTo(new Reply(200, "{\"enrolled\":false}"));
            assertThat(client.login("ada").status()).isEqualTo(200);
        });
    }

    /**
     * An account that has enrolled and has not logged in since, while a thief of the password asks for codes from
     * many addresses.
     */
    @ParameterizedTest
    @EnumSource
    void clientOfTheEnrolment_isItsOwners_whateverAThiefOfThePasswordUsesUp(Stack stack) {
        run(stack, client -> {
            Client home = from("198.51.100.7", client);
            Phone phone = enrol(home, home.login("ada").member("access_token"));
            int clients = 0;
            Reply first = from("203.0.113.0", client).login("ada");
            while (first.status() == 401 && clients < 100) {
                Client thief = from("203.0.113." + clients, client);
                Reply asked = thief.login("ada");
                while (asked.status() == 401) {
                    asked = thief.login("ada");
                }
                clients++;
                first = from("203.0.113." + clients, client).login("ada");
            }
            assertThat(first.status()).as("at a new place").isEqualTo(429);
            assertThat(home.goOn(home.login("ada"), phone.code()).status()).isEqualTo(200);
        });
    }

    @ParameterizedTest
    @EnumSource
    void bodiesThatSpringPrints_showNoSecret(Stack stack) {
        run(stack, client -> {
            String token = client.login("ada").member("access_token");
            try (PrintedBodies printed = new PrintedBodies()) {
                Reply begun = client.send("POST", "/auth/codes", token, PROOF.formatted(""));
                Phone phone = new Phone(begun.member("secret"), clock);
                String code = phone.code();
                Reply confirmed = client.send("POST", "/auth/codes/confirm", token, "{\"code\":\"" + code + "\"}");
                assertThat(printed.text())
                        .contains("(not printed)")
                        .doesNotContain(
                                Services.PASSWORD,
                                begun.member("secret"),
                                "\"" + code + "\"",
                                "=" + code,
                                confirmed.body().substring(20, 39));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void malformedBody_is400_andReachesNoLog(Stack stack) {
        run(stack, client -> {
            String token = client.login("ada").member("access_token");
            try (PrintedBodies printed = new PrintedBodies()) {
                for (String path : List.of("/auth/codes", "/auth/codes/confirm")) {
                    for (String body : List.of(
                            "{\"password\": hunter2}",
                            "{\"code\":hunter2",
                            "{\"password\":\"hunter2\\q\"}",
                            "[\"hunter2\"]",
                            "{\"password\":\"" + "hunter2".repeat(10_000) + "\"}")) {
                        Reply reply = client.send("POST", path, token, body);
                        assertThat(reply.status()).as(body).isEqualTo(400);
                        assertThat(reply.body()).doesNotContain("hunter2");
                    }
                }
                assertThat(printed.text()).isNotEmpty().doesNotContain("hunter2");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void thiefOfATokenChangesNothing_andDoesNotGuessEither(Stack stack) {
        run(stack, client -> {
            String token = client.login("ada").member("access_token");
            String wrongPassword = PROOF.replace(Services.PASSWORD, "wrong").formatted("");
            assertThat(client.send("POST", "/auth/codes", token, wrongPassword).status())
                    .isEqualTo(403);
            Phone phone = enrol(client, token);
            assertThat(client.send("POST", "/auth/codes", token, PROOF.formatted(""))
                            .status())
                    .isEqualTo(403);
            int guesses = 0;
            int status = 403;
            while (status == 403 && guesses < 100) {
                status = client.send("DELETE", "/auth/codes", token, PROOF.formatted(phone.wrongCode()))
                        .status();
                guesses++;
            }
            assertThat(status).isEqualTo(429);
            assertThat(client.login("ada").status()).as("the same limits").isEqualTo(429);
        });
    }

    /** A token of support, to act as ada. */
    private static String acting(ApplicationContext context) {
        return context.getBean(JwtSigner.class)
                .sign(JwtClaims.forSubject("ada", Duration.ofMinutes(5)).with("act", Map.of("sub", "support")));
    }

    @ParameterizedTest
    @EnumSource
    void accountThatActsAsTheOwner_changesAndSeesNothing(Stack stack) {
        stack.run(
                (client, context) -> {
                    String acting = acting(context);
                    for (Reply reply : List.of(
                            client.send("POST", "/auth/codes", acting, PROOF.formatted("")),
                            client.send("POST", "/auth/codes/confirm", acting, "{\"code\":\"000000\"}"),
                            client.send("DELETE", "/auth/codes", acting, PROOF.formatted("")),
                            client.send("GET", "/auth/codes/devices", acting, ""),
                            client.send("DELETE", "/auth/codes/devices", acting, ""),
                            client.send("DELETE", "/auth/codes/devices/1", acting, ""))) {
                        assertThat(reply.status()).isEqualTo(403);
                        assertThat(reply.body()).contains("\"status\":403", "acts as the owner");
                    }
                },
                "latchkey.plugin.one-time-codes.endpoints-enabled=true");
    }

    @ParameterizedTest
    @EnumSource
    void callerWithoutALogin_getsNothing(Stack stack) {
        run(stack, client -> {
            for (String path : new String[] {"/auth/codes", "/auth/codes/confirm"}) {
                assertThat(client.send("POST", path, "", PROOF.formatted("")).status())
                        .as("not logged in, and on WebFlux without CSRF token")
                        .isIn(401, 403);
            }
            assertThat(client.send("DELETE", "/auth/codes", "", PROOF.formatted(""))
                            .status())
                    .isIn(401, 403);
        });
    }

    @ParameterizedTest
    @EnumSource
    void bodyThatIsNoProof_isRefused(Stack stack) {
        run(stack, client -> {
            String token = client.login("bob").member("access_token");
            for (String body : new String[] {"", "[]", "{\"password\":\"\\ud800\"}"}) {
                assertThat(client.send("POST", "/auth/codes", token, body).status())
                        .isEqualTo(400);
            }
            for (String body : List.of("{\"password\":null}", "{\"password\":{}}")) {
                assertThat(client.send("POST", "/auth/codes", token, body).status())
                        .isEqualTo(403);
            }
            assertThat(client.send("POST", "/auth/codes/confirm", token, "{}").status())
                    .isEqualTo(403);
        });
    }

    @ParameterizedTest
    @EnumSource
    void tableThatIsGone_isSaidInTheLog(Stack stack) {
        try (LogLines log = LogLines.of(OutageLog.class)) {
            stack.run(
                    (client, context) -> {
                        String token = client.login("ada").member("access_token");
                        context.getBean(JdbcClient.class)
                                .sql("alter table latchkey_one_time_codes rename to gone")
                                .update();
                        assertThat(client.send("POST", "/auth/codes/confirm", token, "{\"code\":\"123456\"}")
                                        .status())
                                .isEqualTo(503);
                    },
                    "latchkey.plugin.one-time-codes.endpoints-enabled=true");
            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING: /auth/codes does not answer: ")
                    .contains("latchkey_one_time_codes", "schema-");
        }
    }

    @ParameterizedTest
    @EnumSource
    void endpoints_areOffUntilAskedFor(Stack stack) {
        stack.run((client, context) -> {
            String token = client.login("ada").member("access_token");
            assertThat(client.send("POST", "/auth/codes", token, PROOF.formatted(""))
                            .status())
                    .isEqualTo(404);
        });
    }

    @Test
    void passwordIsThatOfTheTenant_andTheAnswerIsKeptNowhere() {
        OneTimeCodes codes =
                OneTimeCodes.of(new InMemoryCodeStore(), SecretKeys.of(Secret.of(new byte[32])), "Example");
        LoginSource<PasswordCredentials> ofTenants = new LoginSource<>() {
            @Override
            public String name() {
                return "tenants";
            }

            @Override
            public Class<PasswordCredentials> kind() {
                return PasswordCredentials.class;
            }

            @Override
            public boolean hasStoredNames() {
                return true;
            }

            @Override
            public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
                return context.tenant().equals(Optional.of("emea"))
                                && context.header("X-Tenant").equals(List.of("emea"))
                        ? Authenticated.as(Subject.of("ada"))
                        : Rejected.because(RejectionReason.BAD_CREDENTIALS);
            }
        };
        AuthChain chain = AuthChain.of(ofTenants, new OneTimeCodesPlugin(codes));
        CodesEndpoint endpoint = new CodesEndpoint(
                user -> Optional.of(Subject.of("ada")),
                new OwnCodes(chain, codes),
                null,
                new MockEnvironment().withProperty("latchkey.tenant-header", "X-Tenant"),
                new StaticListableBeanFactory().getBeanProvider(OutageLog.class));
        assertThat(endpoint.begin(() -> "ada", NOTHING, name -> List.of())
                        .getStatusCode()
                        .value())
                .isEqualTo(403);
        assertThat(endpoint.begin(() -> "ada", NOTHING, name -> List.of("emea", "emea"))
                        .getStatusCode()
                        .value())
                .as("two tenants")
                .isEqualTo(403);
        ResponseEntity<?> begun = endpoint.begin(() -> "ada", NOTHING, name -> List.of("emea"));
        assertThat(begun.getStatusCode().value()).isEqualTo(200);
        assertThat(begun.getHeaders().getCacheControl()).isEqualTo("no-store");
    }

    /** Somebody else than Latchkey authenticated such a caller. */
    @Test
    void callerWithoutAnAccountHere_getsNothing() {
        OneTimeCodes codes =
                OneTimeCodes.of(new InMemoryCodeStore(), SecretKeys.of(Secret.of(new byte[32])), "Example");
        CodesEndpoint endpoint = new CodesEndpoint(
                user -> Optional.empty(),
                new OwnCodes(AuthChain.of(new OneTimeCodesPlugin(codes)), codes),
                RememberedDevices.of(codes, Duration.ofDays(30)),
                new MockEnvironment(),
                new StaticListableBeanFactory().getBeanProvider(OutageLog.class));
        for (ResponseEntity<?> answer : List.of(
                endpoint.begin(null, NOTHING, name -> List.of()),
                endpoint.confirm(null, NOTHING, name -> List.of()),
                endpoint.disable(null, NOTHING, name -> List.of()),
                endpoint.devices(null),
                endpoint.forget(null, "1"),
                endpoint.forgetAll(null))) {
            assertThat(answer.getStatusCode().value()).isEqualTo(401);
            assertThat(answer.getBody()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void codeThatIsNoText_isAMistakeOfTheRequest(Stack stack) {
        run(stack, client -> {
            String token = client.login("bob").member("access_token");
            String code = "{\"code\":\"\\ud800\"}";
            assertThat(client.send("POST", "/auth/codes/confirm", token, code).status())
                    .isEqualTo(400);
            assertThat(client.send("DELETE", "/auth/codes", token, code).status())
                    .isEqualTo(400);
        });
    }
}
