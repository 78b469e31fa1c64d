package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.http.AuthorizedHttpClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No password and no token appears in a log, an exception, an event or a text, even if the server repeats the request. */
@Timeout(60)
class NoSecretTest {

    private static final String PASSWORD = LoginServer.PASSWORD;
    private static final String TOKEN = "secretAccessToken";
    private static final String REFRESH = "secretRefreshToken";

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);
    private final StringWriter text = new StringWriter();
    private final PrintWriter printed = new PrintWriter(text, true);
    private final Logger root = Logger.getLogger("");
    private final Level before = root.getLevel();
    private final Listener listener = new Listener();

    @BeforeEach
    void listen() {
        root.addHandler(listener);
        root.setLevel(Level.ALL);
    }

    @AfterEach
    void stop() {
        root.removeHandler(listener);
        root.setLevel(before);
        server.close();
    }

    @Test
    void nothingThatIsPrinted_holdsASecret() throws Exception {
        List<HttpHandler> answers = List.of(
                exchange -> LoginServer.send(exchange, 401, "not accepted: " + PASSWORD + " " + TOKEN),
                exchange -> LoginServer.send(exchange, 500, PASSWORD),
                exchange -> LoginServer.send(exchange, 200, "{\"" + PASSWORD + "\":"),
                exchange -> LoginServer.send(
                        exchange, 200, "{\"access_token\":\"" + TOKEN + "\\n\",\"token_type\":\"Bearer\"}"),
                exchange -> LoginServer.send(
                        exchange, 200, "{\"access_token\":\"" + TOKEN + "\",\"token_type\":\"" + PASSWORD + "\"}"),
                LoginServer.answering(302, "Location", "/" + TOKEN),
                LoginServer.answering(503, "Retry-After", PASSWORD),
                exchange -> exchange.close(),
                exchange -> {
                    exchange.sendResponseHeaders(200, 1_000);
                    exchange.getResponseBody().write(PASSWORD.getBytes(StandardCharsets.US_ASCII));
                    exchange.close();
                },
                exchange -> LoginServer.send(
                        exchange,
                        200,
                        "{\"access_token\":\"" + TOKEN
                                + "\",\"token_type\":\"Bearer\",\"expires_in\":9,\"refresh_token\":\"" + REFRESH
                                + "\"}"));
        server.onRefresh(exchange -> LoginServer.send(exchange, 400, REFRESH));
        server.onCall(exchange -> LoginServer.send(exchange, 401, ""));
        for (HttpHandler answer : answers) {
            server.onLogin(answer);
            callAndPrint();
        }
        printed.flush();
        assertThat(text.toString()).contains("Authorization[****]", "LoginFailed[", "No token: ");
        for (String secret : List.of(PASSWORD, TOKEN, REFRESH, "correct%20horse")) {
            assertThat(text.toString()).doesNotContain(secret).doesNotContain(base64(secret));
        }
    }

    @Test
    void garbageInsteadOfAStatusLine_isNotRepeated() throws Exception {
        try (GarbageServer garbage = new GarbageServer(PASSWORD + "\r\n\r\n")) {
            printFailure(TokenAuthorizer.of(
                    LoginEndpoint.ofLatchkey(garbage.address(), "robot", Secret.of(PASSWORD)),
                    settings(),
                    () -> 0L,
                    time::pause));
        }
        assertThat(text.toString()).contains("failed: ProtocolException").doesNotContain(PASSWORD);
    }

    private ClientSettings settings() {
        return ClientSettings.defaults()
                .withClock(time)
                .withPatience(Duration.ofSeconds(30))
                .withListener(event -> print(event));
    }

    private void callAndPrint() throws Exception {
        for (LoginEndpoint endpoint : endpoints()) {
            TokenAuthorizer authorizer = TokenAuthorizer.of(endpoint, settings(), () -> 0L, time::pause);
            print(endpoint, authorizer, settings(), endpoint.fields(), endpoint.basic());
            printFailure(authorizer);
            try {
                print(AuthorizedHttpClient.with(authorizer)
                        .send(HttpRequest.newBuilder(server.at("/api")).build(), BodyHandlers.ofString())
                        .statusCode());
            } catch (LoginFailedException e) {
                e.printStackTrace(printed);
            }
        }
        BasicAuthorizer basic = BasicAuthorizer.of(server.at("/"), "robot", Secret.of(PASSWORD));
        print(basic, basic.current().get());
    }

    private List<LoginEndpoint> endpoints() {
        URI address = server.at("/auth/token?hint=" + TOKEN);
        Secret password = Secret.of(PASSWORD);
        return List.of(
                LoginEndpoint.ofLatchkey(address, "robot", password),
                LoginEndpoint.ofNacos(address, "robot", password),
                LoginEndpoint.ofClientCredentials(address, "robot", password));
    }

    private void printFailure(TokenAuthorizer authorizer) throws InterruptedException {
        try {
            print(Authorizer.await(authorizer.current()));
        } catch (LoginFailedException e) {
            e.printStackTrace(printed);
        }
    }

    private void print(Object... objects) {
        for (Object object : objects) {
            printed.println(object);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private final class Listener extends Handler {

        @Override
        public void publish(LogRecord logged) {
            String from = String.valueOf(logged.getLoggerName());
            if (from.startsWith("jdk.internal.") || from.startsWith("com.sun.net.httpserver")) {
                return; // the JDK's own, for a search of the JDK's mistakes, and the server's
            }
            print(logged.getMessage());
            if (logged.getParameters() != null) {
                print(logged.getParameters());
            }
            if (logged.getThrown() != null) {
                logged.getThrown().printStackTrace(printed);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
