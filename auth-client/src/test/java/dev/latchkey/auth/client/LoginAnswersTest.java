package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.LoginFailedException.Kind;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests to a login endpoint, and the meaning of the answers. */
@Timeout(60)
class LoginAnswersTest {

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);
    private final CountDownLatch over = new CountDownLatch(1);
    private ClientSettings settings = ClientSettings.defaults().withClock(time).withPatience(Duration.ofSeconds(30));

    @AfterEach
    void stop() {
        over.countDown();
        server.close();
    }

    @Test
    void nacos_isSentAForm_andAnswersInItsOwnWords() throws Exception {
        server.onLogin(exchange -> LoginServer.send(
                exchange,
                200,
                "{\"accessToken\":\"abc\",\"tokenTtl\":18000,\"globalAdmin\":true,\"username\":\"nacos\"}"));
        Authorization shown =
                login(LoginEndpoint.ofNacos(server.at("/auth/token"), "na&cos", Secret.of("pass=word+ ü%")));
        assertThat(shown.fieldValue()).isEqualTo("Bearer abc");
        assertThat(server.asked().get(0))
                .isEqualTo(new LoginServer.Asked(
                        "POST",
                        "/auth/token",
                        "application/x-www-form-urlencoded",
                        "null",
                        "username=na%26cos&password=pass%3Dword%2B%20%C3%BC%25"));
    }

    @Test
    void clientCredentials_areEncodedAndShownInTheHeader() throws Exception {
        login(LoginEndpoint.ofClientCredentials(server.at("/auth/token"), "a:b", Secret.of("s c"))
                .withScope("read write"));
        LoginServer.Asked asked = server.asked().get(0);
        assertThat(asked.authorization())
                .isEqualTo("Basic "
                        + Base64.getEncoder().encodeToString("a%3Ab:s%20c".getBytes(StandardCharsets.US_ASCII)));
        assertThat(asked.body().split("&", -1))
                .containsExactlyInAnyOrder("grant_type=client_credentials", "scope=read%20write");
    }

    @Test
    void secondStep_isAnExceptionOfItsOwn() {
        assertThat(failure(
                                exchange -> LoginServer.send(
                                        exchange,
                                        401,
                                        "{\"type\":\"tag:latchkey.dev,2026:next-step\",\"status\":401,\"method\":\"otp\",\"continuation\":\"abc\",\"expires_in\":300}"))
                        .kind())
                .isEqualTo(Kind.SECOND_STEP);
    }

    @Test
    void accountWithAsManyLoginsAsItMayHave_mayHaveFewerLater() {
        LoginFailedException failure = failure(exchange -> LoginServer.send(
                exchange,
                409,
                "{\"type\":\"tag:latchkey.dev,2026:too-many-logins\",\"status\":409,\"title\":\"Conflict\"}"));
        assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(failure).hasMessageContaining("as many logins as it may have");
    }

    @ParameterizedTest
    @CsvSource({
        "400, REFUSED",
        "401, REFUSED",
        "403, REFUSED",
        "404, REFUSED",
        "409, REFUSED",
        "408, UNAVAILABLE",
        "425, UNAVAILABLE",
        "429, UNAVAILABLE",
        "500, UNAVAILABLE",
        "502, UNAVAILABLE",
        "503, UNAVAILABLE",
        "201, UNAVAILABLE",
        "204, UNAVAILABLE"
    })
    void status_saysWhatIsToBeDone(int status, Kind kind) {
        LoginFailedException failure = failure(exchange -> LoginServer.send(exchange, status, ""));
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessageContaining("/auth/token").hasMessageEndingWith(" was answered with " + status);
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 301, 302, 303, 307, 308, 399})
    void redirect_isNotFollowed(int status) {
        LoginFailedException failure = failure(LoginServer.answering(
                status, "Location", server.at("/api/stolen").toString()));
        assertThat(failure).hasMessageContaining("not followed");
        assertThat(server.calls()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "null",
                "{\"access_token\":\"abc\"}",
                "{\"access_token\":\"abc\",\"token_type\":\"mac\"}",
                "{\"token_type\":\"Bearer\"}",
                "{\"access_token\":null,\"token_type\":\"Bearer\"}",
                "{\"access_token\":{},\"token_type\":\"Bearer\"}",
                "{\"access_token\":\"\",\"token_type\":\"Bearer\"}",
                "{\"access_token\":\"a b\",\"token_type\":\"Bearer\"}",
                "{\"access_token\":\"a\\r\\nX-Admin: 1\",\"token_type\":\"Bearer\"}",
                "{\"access_token\":\"a\\u0000\",\"token_type\":\"Bearer\"}",
                "{\"access_token\":\"ä\",\"token_type\":\"Bearer\"}",
                "{\"access_token\":\"a=b\",\"token_type\":\"Bearer\"}",
                "{\"access_token\":\"=\",\"token_type\":\"Bearer\"}",
                "{\"access_token\":\"a\",\"access_token\":\"b\",\"token_type\":\"Bearer\"}",
                "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":0}",
                "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":-1}",
                "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":1.5}",
                "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":1e99}",
                "{\"access_token\":\"a\",\"token_type\":\"Bearer\"} {}",
                "{\"access_token\":\"a\",\"token_type\":\"Bearer\",}",
                "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"x\":[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}",
                "<!DOCTYPE html><title>Please sign in</title>",
            })
    void whatIsNoToken_isNotShown(String body) {
        assertThat(failure(exchange -> LoginServer.send(exchange, 200, body)))
                .hasMessageContaining("answered what is no token")
                .extracting(LoginFailedException::kind)
                .isEqualTo(Kind.UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"access_token\":\"aZ9-._~+/==\",\"token_type\":\"bearer\"}",
                " {\"token_type\" : \"BEARER\", \"access_token\"\n:\"a\\u005A9-._~+\\/==\",\"x\":{\"access_token\":[1,-2.5e3,{}]},\"y\":null,\"z\":true}",
                "{\"access_token\":\"aZ9-._~+/==\",\"token_type\":\"Bearer\",\"expires_in\":\"3600\",\"scope\":\"a b\"}",
                "{\"access_token\":\"aZ9-._~+/==\",\"token_type\":\"Bearer\",\"expires_in\":999999999999}",
            })
    void whatIsAToken_isShown(String body) throws Exception {
        server.onLogin(exchange -> LoginServer.send(exchange, 200, body));
        assertThat(login(server.endpoint()).fieldValue()).isEqualTo("Bearer aZ9-._~+/==");
    }

    @Test
    void longestToken_isShown_andALongerOneIsNot() throws Exception {
        String longest = "a".repeat(16_384);
        server.onLogin(exchange ->
                LoginServer.send(exchange, 200, "{\"access_token\":\"" + longest + "\",\"token_type\":\"Bearer\"}"));
        assertThat(login(server.endpoint()).fieldValue()).isEqualTo("Bearer " + longest);
        assertThat(failure(exchange -> LoginServer.send(
                        exchange, 200, "{\"access_token\":\"" + longest + "a\",\"token_type\":\"Bearer\"}")))
                .hasMessageContaining("answered what is no token");
    }

    /** A year at most, so that no sum of times overflows. */
    @ParameterizedTest
    @CsvSource({"1, 1", "31536000, 31536000", "31536001, 31536000", "999999999999, 31536000"})
    void lifetime_isBounded(long seconds, long used) throws Exception {
        HeardEvents heard = new HeardEvents();
        settings = settings.withListener(heard);
        server.onLogin(exchange -> LoginServer.send(
                exchange,
                200,
                "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"refresh_token\":\"\",\"expires_in\":" + seconds
                        + "}"));
        login(server.endpoint());
        assertThat(heard.of(ClientEvent.LoggedIn.class)).singleElement().satisfies(event -> {
            assertThat(event.lifetime()).contains(Duration.ofSeconds(used));
            assertThat(event.elapsed()).isBetween(Duration.ofNanos(1), Duration.ofSeconds(60));
        });
    }

    @Test
    void bytesThatAreNoUtf8_areNoToken() {
        assertThat(failure(exchange -> {
                            byte[] body = {'{', '"', (byte) 0xC3, '"', ':', '1', '}'};
                            exchange.sendResponseHeaders(200, body.length);
                            exchange.getResponseBody().write(body);
                            exchange.close();
                        })
                        .kind())
                .isEqualTo(Kind.UNAVAILABLE);
    }

    @Test
    void answerWithoutEnd_isCutOff() {
        LoginFailedException failure = failure(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                byte[] blanks = " ".repeat(8_192).getBytes(StandardCharsets.US_ASCII);
                for (int i = 0; i < 100_000; i++) {
                    out.write(blanks);
                }
            }
        });
        assertThat(failure).hasMessageContaining("answered what is no token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"access_"})
    void answerThatIsNotEnded_isGivenUp(String beginning) {
        settings = settings.withLoginTimeout(Duration.ofMillis(300)).withPatience(Duration.ofSeconds(20));
        LoginFailedException failure = failure(exchange -> {
            if (!beginning.isEmpty()) {
                exchange.sendResponseHeaders(200, 1_000);
                exchange.getResponseBody().write(beginning.getBytes(StandardCharsets.US_ASCII));
                exchange.getResponseBody().flush();
            }
            hang();
        });
        assertThat(failure).hasMessageContaining("no answer within 300 ms");
    }

    @Test
    void connectionThatBreaks_isTriedOnceMoreAtOnce() throws Exception {
        server.onLogin(exchange -> {
            server.onLogin(server::issue);
            exchange.close();
        });
        assertThat(login(server.endpoint())).isNotNull();
        assertThat(server.logins()).isEqualTo(2);
        assertThat(time.pauses()).isEmpty();
    }

    @Test
    void serverThatIsNotThere_isUnavailable() {
        LoginServer gone = new LoginServer(time);
        LoginEndpoint endpoint = gone.endpoint();
        gone.close();
        assertThatThrownBy(() -> login(endpoint))
                .isInstanceOfSatisfying(
                        LoginFailedException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE));
    }

    @Test
    void secretThatWasWiped_isSaid() {
        Secret password = Secret.of("secret");
        password.close();
        assertThatThrownBy(() -> login(LoginEndpoint.ofLatchkey(server.at("/auth/token"), "robot", password)))
                .isInstanceOf(LoginFailedException.class)
                .hasRootCauseMessage("The secret was wiped");
    }

    private Authorization login(LoginEndpoint endpoint) throws InterruptedException {
        return Authorizer.await(
                TokenAuthorizer.of(endpoint, settings, () -> 0L, time::pause).current());
    }

    private LoginFailedException failure(HttpHandler handler) {
        server.onLogin(handler);
        try {
            login(server.endpoint());
        } catch (LoginFailedException e) {
            return e;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("There was a token");
    }

    private void hang() {
        try {
            assertThat(over.await(50, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
