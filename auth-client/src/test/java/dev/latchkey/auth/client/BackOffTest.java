package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.client.LoginFailedException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An endpoint that refuses or is overloaded is left alone. */
@Timeout(60)
class BackOffTest {

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);
    private final HeardEvents heard = new HeardEvents();
    private final ClientSettings settings =
            ClientSettings.defaults().withClock(time).withListener(heard);
    private final TokenAuthorizer authorizer = authorizer(settings);

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void refusal_isToldAtOnce_andNotTriedAgainUntilTheBackOffIsOver() {
        server.onLogin(exchange -> LoginServer.send(exchange, 401, ""));
        for (int i = 0; i < 100; i++) {
            assertThat(failure().kind()).isEqualTo(Kind.REFUSED);
        }
        assertThat(server.logins()).isEqualTo(1);
        time.moveBy(Duration.ofMillis(999));
        assertThat(failure().retryAfter()).contains(Duration.ofMillis(1));
        time.moveBy(Duration.ofMillis(1));
        failure();
        assertThat(server.logins()).isEqualTo(2);
        assertThat(time.pauses()).isEmpty();
    }

    @Test
    void refusals_doubleTheBackOffToItsBound() {
        server.onLogin(exchange -> LoginServer.send(exchange, 403, ""));
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Duration wait = failure().retryAfter().orElseThrow();
            waits.add(wait);
            time.moveBy(wait);
        }
        assertThat(waits).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    }

    @Test
    void success_endsTheBackOff() throws Exception {
        server.onLogin(exchange -> LoginServer.send(exchange, 403, ""));
        time.moveBy(failure().retryAfter().orElseThrow());
        time.moveBy(failure().retryAfter().orElseThrow());
        server.onLogin(server::issue);
        Authorization shown = Authorizer.await(authorizer.current());
        server.onLogin(exchange -> LoginServer.send(exchange, 403, ""));
        assertThatThrownBy(() -> Authorizer.await(authorizer.renewalOf(shown).orElseThrow()))
                .isInstanceOfSatisfying(
                        LoginFailedException.class,
                        again -> assertThat(again.retryAfter()).contains(Duration.ofSeconds(1)));
    }

    @Test
    void overloadWithinThePatience_isWaitedFor() throws Exception {
        for (String told : List.of("3", "Sun, 22 Nov 2026 10:00:07 GMT")) {
            server.onLogin(exchange -> {
                exchange.getResponseHeaders().set("Retry-After", told);
                server.onLogin(server::issue);
                LoginServer.send(exchange, told.equals("3") ? 429 : 503, "");
            });
            assertThat(Authorizer.await(authorizer(settings).current())).isNotNull();
        }
        assertThat(time.pauses().get(0)).isEqualTo(Duration.ofSeconds(3));
        assertThat(server.logins()).isEqualTo(4);
    }

    @Test
    void overloadBeyondThePatience_isToldAtOnce() {
        server.onLogin(LoginServer.answering(503, "Retry-After", "11"));
        LoginFailedException failure = failure();
        assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(failure.retryAfter()).contains(Duration.ofSeconds(11));
        assertThat(failure()).hasMessage(failure.getMessage());
        assertThat(server.logins()).isEqualTo(1);
    }

    @Test
    void waitWantedByAServer_isBounded() {
        server.onLogin(LoginServer.answering(429, "Retry-After", "999999999"));
        assertThat(failure().retryAfter()).contains(Duration.ofMinutes(1));
    }

    @Test
    void bound_isTheSettings() {
        server.onLogin(exchange -> LoginServer.send(exchange, 403, ""));
        TokenAuthorizer impatient = authorizer(settings.withLongestBackOff(Duration.ofSeconds(3)));
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Duration wait = failure(impatient).retryAfter().orElseThrow();
            waits.add(wait);
            time.moveBy(wait);
        }
        assertThat(waits).extracting(Duration::toSeconds).containsExactly(1L, 2L, 3L, 3L);
    }

    @Test
    void serverThatAlwaysSaysAtOnce_isLeftAloneAllTheSame() {
        server.onLogin(LoginServer.answering(503, "Retry-After", "0"));
        failure();
        assertThat(server.logins()).isLessThan(6);
        assertThat(time.pauses()).startsWith(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @Test
    void outage_isWaitedForUntilThePatienceEnds_andToldOnce() {
        server.onLogin(exchange -> LoginServer.send(exchange, 500, ""));
        assertThat(failure().kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(time.pauses()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));
        assertThat(heard.of(ClientEvent.LoginFailed.class))
                .extracting(ClientEvent.LoginFailed::backOff)
                .extracting(Duration::toSeconds)
                .containsExactly(1L, 2L, 4L, 8L);
    }

    @Test
    void clockThatIsSetBack_endsTheBackOff() {
        server.onLogin(exchange -> LoginServer.send(exchange, 401, ""));
        failure();
        time.moveBy(Duration.ofDays(-1));
        assertThat(failure().retryAfter()).contains(Duration.ofSeconds(2));
        assertThat(server.logins()).isEqualTo(2);
        time.moveBy(Duration.ofSeconds(2));
        failure();
        assertThat(server.logins()).isEqualTo(3);
    }

    @Test
    void pauseOfThePatience_isWaitedFor_andALongerOneIsNot() {
        LoginFailedException failure =
                LoginFailedException.of(Kind.UNAVAILABLE, "x").withRetryAfter(Duration.ofSeconds(10));
        BackOff pause = BackOff.NONE.after(failure, time.instant(), Duration.ofMinutes(1), () -> 0L);
        assertThat(pause.outlasts(Duration.ofSeconds(10), time.instant())).isFalse();
        assertThat(pause.outlasts(Duration.ofMillis(9_999), time.instant())).isTrue();
        assertThat(pause.outlasts(Duration.ZERO, time.instant().plusSeconds(10)))
                .isFalse();
    }

    /** The other tests move a clock; here the pause takes its time. */
    @Test
    void pauseOfAService_endsByItself() throws Exception {
        server.onLogin(exchange -> {
            server.onLogin(server::issue);
            LoginServer.send(exchange, 500, "");
        });
        TokenAuthorizer real = TokenAuthorizer.of(
                server.endpoint(),
                ClientSettings.defaults()
                        .withListener(heard)
                        .withPatience(Duration.ofSeconds(30))
                        .withLongestBackOff(Duration.ofMillis(20)));
        assertThat(Authorizer.await(real.current())).isNotNull();
        assertThat(server.logins()).isEqualTo(2);
        assertThat(heard.of(ClientEvent.LoginFailed.class)).hasSize(1);
    }

    @Test
    void jitter_isUpToHalf() {
        LoginFailedException failure = LoginFailedException.of(Kind.UNAVAILABLE, "x");
        BackOff shortest = BackOff.NONE.after(failure, time.instant(), Duration.ofMinutes(1), () -> -1L);
        assertThat(shortest.leftAt(time.instant())).isBetween(Duration.ofMillis(500), Duration.ofMillis(501));
    }

    private TokenAuthorizer authorizer(ClientSettings with) {
        return TokenAuthorizer.of(server.endpoint(), with, () -> 0L, time::pause);
    }

    private LoginFailedException failure() {
        return failure(authorizer);
    }

    private static LoginFailedException failure(TokenAuthorizer asked) {
        try {
            Authorizer.await(asked.current());
        } catch (LoginFailedException e) {
            return e;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("There was a token");
    }
}
