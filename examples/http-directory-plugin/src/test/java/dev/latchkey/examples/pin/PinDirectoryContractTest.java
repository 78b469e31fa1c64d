package dev.latchkey.examples.pin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.HttpBackend;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.contract.LoginStepContract;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The plugin keeps the contracts of both roles, even with a misbehaving directory. */
@Tag("long")
class PinDirectoryContractTest {

    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Map<String, String> PASSWORDS = Map.of("ada", "Correct-Horse-7", "linus", "Battery-Staple-9");
    private static final Map<String, String> PINS = Map.of("ada", "271828", "linus", "314159");

    private static PinDirectoryPlugin at(URI directory, Duration timeout) {
        return new PinDirectoryPlugin("pin-directory", directory, timeout);
    }

    private static Optional<HttpBackend> directory() {
        return Optional.of(HttpBackend.of(uri -> at(uri, TIMEOUT), PinDirectoryContractTest::answer, TIMEOUT)
                .withGrace(Duration.ofSeconds(20)));
    }

    /** The directory does not distinguish case in names. */
    private static void answer(HttpExchange request) throws IOException {
        String[] parts = new String(request.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII).split(" ", -1);
        boolean isPin = request.getRequestURI().getPath().equals("/pin");
        String account = decoded(parts[0]).toLowerCase(Locale.ROOT);
        boolean isRight = decoded(parts[1]).equals((isPin ? PINS : PASSWORDS).get(account));
        byte[] answer = (isRight ? account + " yes" : "no").getBytes(StandardCharsets.UTF_8);
        request.sendResponseHeaders(200, answer.length);
        request.getResponseBody().write(answer);
        request.close();
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private static PasswordCredentials login(String name, String password) {
        return new PasswordCredentials(name, Secret.of(password));
    }

    @Nested
    class Source extends LoginSourceContract {

        @Override
        protected PinDirectoryPlugin newPlugin() throws Exception {
            return at(workingBackend(), Duration.ofSeconds(20));
        }

        @Override
        protected Optional<HttpBackend> backend() {
            return directory();
        }

        @Override
        protected Credentials validCredentials() {
            return login("ada", "Correct-Horse-7");
        }

        @Override
        protected Credentials wrongCredentials() {
            return login("ada", "Incorrect-Horse");
        }

        @Override
        protected Optional<Credentials> secondValidCredentials() {
            return Optional.of(login("linus", "Battery-Staple-9"));
        }

        @Test
        void subject_hasTheNameOfTheDirectory_howeverItIsTyped() throws Exception {
            try (PinDirectoryPlugin plugin = newPlugin()) {
                Decision decision = plugin.authenticate(login("ADA", "Correct-Horse-7"), RequestContext.none());
                assertThat(decision)
                        .isInstanceOfSatisfying(
                                Challenged.class,
                                challenge -> assertThat(
                                                challenge.soFar().subject().id())
                                        .isEqualTo("ada"));
            }
        }
    }

    @Nested
    class Step extends LoginStepContract {

        @Override
        protected PinDirectoryPlugin newPlugin() throws Exception {
            return at(workingBackend(), Duration.ofSeconds(20));
        }

        @Override
        protected Optional<HttpBackend> backend() {
            return directory();
        }

        @Override
        protected Authenticated login() {
            return Authenticated.as(Subject.of("ada"));
        }

        @Override
        protected Authenticated otherLogin() {
            return Authenticated.as(Subject.of("linus"));
        }

        /** The plugin challenges the logins of its own accounts. */
        @Override
        protected Challenged challenge(LoginStep plugin, Authenticated login) {
            String account = login.subject().id();
            PasswordCredentials credentials = PinDirectoryContractTest.login(account, PASSWORDS.get(account));
            return (Challenged) ((PinDirectoryPlugin) plugin).authenticate(credentials, RequestContext.none());
        }

        @Override
        protected Map<String, Secret> rightResponse(Challenged challenge) {
            return Map.of("code", Secret.of(PINS.get(challenge.soFar().subject().id())));
        }

        @Override
        protected boolean isRightOnce() {
            return false;
        }
    }
}
