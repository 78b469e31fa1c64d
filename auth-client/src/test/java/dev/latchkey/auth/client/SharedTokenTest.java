package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The token for a caller that comes at the moment of a landing. */
@Timeout(60)
class SharedTokenTest {

    private static final long LIMIT_SECONDS = 30;

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);
    private final HeardEvents heard = new HeardEvents();
    private final SharedToken token = new SharedToken(
            server.endpoint(),
            ClientSettings.defaults().withClock(time),
            () -> 0L,
            time::pause,
            new ListenerEvents(heard));

    @AfterEach
    void stop() {
        server.close();
    }

    private Authorization joined() throws Exception {
        return token.join(Duration.ofSeconds(LIMIT_SECONDS)).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Between the two questions of a caller, a login of another caller ended. */
    @Test
    void callerThatFoundNoToken_getsTheOneThatCameMeanwhile() throws Exception {
        assertThat(token.ready()).isEmpty();
        Authorization landed = joined();
        assertThat(joined()).isSameAs(landed);
        assertThat(token.ready()).containsSame(landed);
        assertThat(server.logins()).isEqualTo(1);
    }

    @Test
    void rejectionOfATokenThatIsGone_costsNothing() throws Exception {
        Authorization first = joined();
        assertThat(token.giveUp(first)).isTrue();
        assertThat(token.giveUp(first)).isTrue();
        assertThat(heard.of(ClientEvent.TokenRefused.class)).hasSize(1);
        assertThat(token.ready()).isEmpty();
        assertThat(joined()).isNotSameAs(first);
    }
}
