package dev.latchkey.examples.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The directory's words, to the letter: nothing else decides. */
class DirectoryAnswerTest {

    private HttpServer directory;
    private HttpDirectoryPlugin plugin;
    private volatile String answer = "";

    @BeforeEach
    void start() throws IOException {
        directory = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        directory.createContext("/", request -> DirectoryFixture.send(request, answer));
        directory.start();
        plugin = DirectoryFixture.pluginAt(
                URI.create("http://127.0.0.1:" + directory.getAddress().getPort()), DirectoryFixture.PATIENT);
    }

    @AfterEach
    void stop() {
        plugin.close();
        directory.stop(0);
    }

    @Test
    void wordsOfTheDirectory_decide() {
        assertThat(decisionOn("{\"result\":\"accepted\",\"subject\":\"ada\",\"authorities\":[\"ROLE_A\",\"ROLE_B\"]}"))
                .isEqualTo(Authenticated.as(Subject.of("ada").withAuthorities("ROLE_A", "ROLE_B")));
        assertThat(decisionOn("{\"result\":\"refused\"}")).isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS));
        assertThat(decisionOn("{\"result\":\"unknown\"}")).isEqualTo(Rejected.because(RejectionReason.UNKNOWN_ACCOUNT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "true",
                "\"accepted\"",
                "{\"result\":null}",
                "{\"result\":0}",
                "{\"result\":\"ACCEPTED\",\"subject\":\"ada\",\"authorities\":[]}",
                "{\"result\":\"accepted\"}",
                "{\"result\":\"accepted\",\"subject\":\"ada\"}",
                "{\"result\":\"accepted\",\"subject\":\"\",\"authorities\":[]}",
                "{\"result\":\"accepted\",\"subject\":7,\"authorities\":[]}",
                "{\"result\":\"accepted\",\"subject\":\"ada\",\"authorities\":\"ROLE_A\"}",
                "{\"result\":\"accepted\",\"subject\":\"ada\",\"authorities\":[null]}",
                "{\"result\":\"accepted\",\"subject\":\"ada\",\"authorities\":[],\"subject\":\"grace\"}",
                "{\"result\":\"accepted\",\"subject\":\"ada\",\"authorities\":[],\"locked\":true}",
                "{\"result\":\"refused\"} {\"result\":\"accepted\",\"subject\":\"ada\",\"authorities\":[]}"
            })
    void foreignAnswer_isAnOutage(String json) {
        assertThatThrownBy(() -> decisionOn(json))
                .isInstanceOf(AuthUnavailableException.class)
                .hasRootCauseMessage("The directory's answer is not in its form");
    }

    @Test
    void answerWithoutEnd_isAnOutage() {
        String padding = " ".repeat(DirectoryAnswer.MAX_BYTES);
        assertThatThrownBy(() -> decisionOn("{\"result\":\"refused\"}" + padding))
                .isInstanceOf(AuthUnavailableException.class)
                .hasRootCauseMessage("The answer has more than 65536 bytes");
    }

    private Decision decisionOn(String json) {
        answer = json;
        return plugin.authenticate(DirectoryFixture.login("ada"), RequestContext.none());
    }
}
