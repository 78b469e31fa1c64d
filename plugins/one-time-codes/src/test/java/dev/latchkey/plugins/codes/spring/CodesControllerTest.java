package dev.latchkey.plugins.codes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.plugins.codes.InMemoryCodeStore;
import dev.latchkey.plugins.codes.OneTimeCodes;
import dev.latchkey.plugins.codes.OneTimeCodesPlugin;
import dev.latchkey.plugins.codes.OwnCodes;
import dev.latchkey.plugins.codes.Phone;
import dev.latchkey.plugins.codes.SecretKeys;
import dev.latchkey.plugins.codes.SetClock;
import dev.latchkey.plugins.codes.spring.Client.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;

/** A user's own enrolment over HTTP, as the README's commands do it. */
class CodesControllerTest {

    private static final Duration STEP = Duration.ofSeconds(30);
    private static final String PROOF = "{\"password\":\"" + Services.PASSWORD + "\",\"code\":\"%s\"}";

    @TempDir
    private Path folder;

    private final SetClock clock = new SetClock();

    private void run(Consumer<Client> test) {
        Services.servlet(clock)
                .withPropertyValues(Services.keyFile(folder), "latchkey.plugin.one-time-codes.endpoints-enabled=true")
                .run(context -> test.accept(Client.ofServlets(context)));
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

    @Test
    void user_enrols_logsInWithACodeAndARecoveryCode_andDisables() {
        run(client -> {
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
            assertThat(client.send("DELETE", "/auth/codes", token, PROOF.formatted(phone.code()))
                            .status())
                    .isEqualTo(200);
            assertThat(client.login("ada").status()).isEqualTo(200);
        });
    }

    @Test
    void thiefOfATokenChangesNothing_andDoesNotGuessEither() {
        run(client -> {
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

    @Test
    void whoIsNobody_getsNothing() {
        run(client -> {
            for (String path : new String[] {"/auth/codes", "/auth/codes/confirm"}) {
                assertThat(client.send("POST", path, "", PROOF.formatted("")).status())
                        .isEqualTo(401);
            }
            assertThat(client.send("DELETE", "/auth/codes", "", PROOF.formatted(""))
                            .status())
                    .isEqualTo(401);
        });
    }

    @Test
    void bodyThatIsNoProof_isRefused() {
        run(client -> {
            String token = client.login("bob").member("access_token");
            for (String body : new String[] {"", "[]", "{\"password\":{}}", "{\"password\":\"\\ud800\"}"}) {
                assertThat(client.send("POST", "/auth/codes", token, body).status())
                        .isEqualTo(400);
            }
            assertThat(client.send("POST", "/auth/codes", token, "{\"password\":null}")
                            .status())
                    .isEqualTo(403);
            assertThat(client.send("POST", "/auth/codes/confirm", token, "{}").status())
                    .isEqualTo(403);
        });
    }

    @Test
    void endpoints_areOffUntilAskedFor() {
        Services.servlet(clock).withPropertyValues(Services.keyFile(folder)).run(context -> {
            Client client = Client.ofServlets(context);
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
        AuthPlugin ofTenants = new AuthPlugin() {
            @Override
            public String name() {
                return "tenants";
            }

            @Override
            public Decision authenticate(Credentials credentials, RequestContext context) {
                return context.tenant().equals(Optional.of("emea"))
                                && context.headers().values("X-Tenant").equals(List.of("emea"))
                        ? Authenticated.as(Subject.of("ada"))
                        : Rejected.because(RejectionReason.BAD_CREDENTIALS);
            }
        };
        AuthChain chain = AuthChain.of(ofTenants, new OneTimeCodesPlugin(codes));
        CodesController controller = new CodesController(new OwnCodes(chain, codes), "X-Tenant");
        MockHttpServletRequest request = new MockHttpServletRequest();
        assertThat(controller
                        .begin(() -> "ada", Map.of(), request)
                        .getStatusCode()
                        .value())
                .isEqualTo(403);
        request.addHeader("X-Tenant", "emea");
        ResponseEntity<?> begun = controller.begin(() -> "ada", Map.of(), request);
        assertThat(begun.getStatusCode().value()).isEqualTo(200);
        assertThat(begun.getHeaders().getCacheControl()).isEqualTo("no-store");
    }
}
