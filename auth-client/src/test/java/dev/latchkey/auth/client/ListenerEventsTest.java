package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.ClientEvent.NotRetried.Reason;
import dev.latchkey.auth.client.LoginFailedException.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log has one line for an outage of the login, and one line for its end. The listener hears every event. */
class ListenerEventsTest {

    private static final ClientEvent LOGGED_IN =
            new ClientEvent.LoggedIn(Optional.of(Duration.ofMinutes(5)), Duration.ofMillis(1));

    private final LoginFailedException failure =
            LoginFailedException.of(Kind.UNAVAILABLE, "no answer").withRetryAfter(Duration.ofSeconds(3));
    private final HeardEvents heard = new HeardEvents();
    private final ListenerEvents events = new ListenerEvents(heard);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger log = Logger.getLogger(TokenAuthorizer.class.getName());
    private final Level before = log.getLevel();
    private final Handler listener = new Lines();

    @BeforeEach
    void listen() {
        log.addHandler(listener);
        log.setLevel(Level.FINE);
    }

    @AfterEach
    void stop() {
        log.removeHandler(listener);
        log.setLevel(before);
    }

    @Test
    void outage_isLoggedOnce_andSoIsItsEnd() {
        LoginEndpoint endpoint =
                LoginEndpoint.ofLatchkey(URI.create("https://login.example/auth/token"), "robot", Secret.of("secret"));
        events.succeeded(LOGGED_IN, endpoint);
        assertThat(lines).isEmpty();
        for (int i = 0; i < 2; i++) {
            events.failed(failure);
            assertThat(lines).containsExactly("WARNING No token: no answer");
        }
        events.succeeded(LOGGED_IN, endpoint);
        events.succeeded(LOGGED_IN, endpoint);
        assertThat(lines)
                .containsExactly(
                        "WARNING No token: no answer",
                        "INFO The login at https://login.example:443/auth/token works again");
        assertThat(heard.of(ClientEvent.LoginFailed.class)).hasSize(2);
        assertThat(heard.of(ClientEvent.LoggedIn.class)).hasSize(3);
    }

    @Test
    void requestThatIsNotSentAgain_isLoggedWithTheReason() {
        events.notRetried(Reason.BODY);
        events.notRetried(Reason.TOO_MANY_RENEWALS);
        assertThat(lines)
                .containsExactly(
                        "FINE A request was refused and is not sent again: its body cannot be",
                        "FINE A request was refused and is not sent again: fresh tokens are refused too");
        assertThat(heard.of(ClientEvent.NotRetried.class)).hasSize(2);
    }

    @Test
    void listenerThatFails_isNamedInTheLog() {
        new ListenerEvents(event -> {
                    throw new IllegalStateException("broken");
                })
                .tell(LOGGED_IN);
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("WARNING " + ListenerEventsTest.class.getName())
                .endsWith("failed while it was told of a login");
    }

    private final class Lines extends Handler {

        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
