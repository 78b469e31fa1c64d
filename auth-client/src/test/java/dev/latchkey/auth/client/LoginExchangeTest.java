package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.LoginFailedException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The number of requests for one login, and the end of their connections. */
@Timeout(60)
class LoginExchangeTest {

    private static final long LIMIT_SECONDS = 30;

    private final MovedTime time = new MovedTime();

    private static LoginExchange exchange(URI address, Duration timeout) {
        return new LoginExchange(
                LoginEndpoint.ofLatchkey(address, "robot", Secret.of(LoginServer.PASSWORD)),
                ClientSettings.defaults().withLoginTimeout(timeout));
    }

    private static void assertFails(LoginExchange exchange, String message) {
        assertThatThrownBy(() -> exchange.login().get(LIMIT_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(LoginFailedException.class)
                .hasMessageContaining(message);
    }

    @Test
    void passwordIsNotSentAgain_toAServerThatSpeaksNoHttp() throws Exception {
        try (GarbageServer garbage = new GarbageServer("220 mail.example ESMTP\r\n\r\n")) {
            assertFails(exchange(garbage.address(), Duration.ofSeconds(LIMIT_SECONDS)), "failed: ProtocolException");
            assertThat(garbage.connections()).isEqualTo(1);
        }
    }

    @Test
    void connectionThatBreaksAgain_isNotTriedAThirdTime() {
        try (LoginServer server = new LoginServer(time)) {
            server.onLogin(exchange -> exchange.close());
            assertFails(exchange(server.at("/auth/token"), Duration.ofSeconds(LIMIT_SECONDS)), "failed: ");
            assertThat(server.logins()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"401, REFUSED", "500, UNAVAILABLE", "200, UNAVAILABLE"})
    void longAnswer_keepsItsMeaning_andThePasswordIsSentOnce(int status, Kind kind) {
        try (LoginServer server = new LoginServer(time)) {
            server.onLogin(exchange -> LoginServer.send(exchange, status, "x".repeat(1 << 20)));
            LoginExchange exchange = exchange(server.at("/auth/token"), Duration.ofSeconds(LIMIT_SECONDS));
            assertThatThrownBy(() -> exchange.login().get(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            LoginFailedException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(kind));
            assertThat(server.logins()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"302, 'was redirected (302)'", "500, 'was answered with 500'", "200, 'answered what is no token'"})
    void failedRefresh_isToldWithItsOwnAddress(int status, String result) {
        try (LoginServer server = new LoginServer(time)) {
            server.onRefresh(exchange -> LoginServer.send(exchange, status, ""));
            URI address = server.at("/auth/token/refresh?hint=x");
            LoginExchange exchange = new LoginExchange(
                    LoginEndpoint.ofNacos(server.at("/login"), "nacos", Secret.of(LoginServer.PASSWORD)),
                    ClientSettings.defaults());
            assertThatThrownBy(() -> exchange.refresh(address, Secret.of("r1")).get(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .cause()
                    .hasMessageContaining("The refresh at " + server.at("/auth/token/refresh") + " " + result)
                    .hasMessageNotContaining("wrong password");
        }
    }

    @Test
    void loginWithoutAnAnswerInTime_endsItsConnection() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Integer> end = CompletableFuture.supplyAsync(() -> lastByteOf(silent), thread);
            URI address = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/auth/token");
            assertFails(exchange(address, Duration.ofMillis(300)), "had no answer within 300 ms");
            assertThat(end.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("the end of the stream")
                    .isEqualTo(-1);
        } finally {
            thread.shutdownNow();
        }
    }

    /** Reads all that a client sends, and answers nothing. */
    private static int lastByteOf(ServerSocket silent) {
        try (Socket connection = silent.accept();
                InputStream in = connection.getInputStream()) {
            int last = in.read();
            while (last >= 0) {
                last = in.read();
            }
            return last;
        } catch (IOException e) {
            // A reset ends the connection too.
            return -1;
        }
    }
}
