package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException.Kind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LoginRushTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
    private final AtomicInteger waiting = new AtomicInteger();
    private final LoginRush rush = new LoginRush(2, waiting::get, "ada"::equals, now::get);

    @Test
    void withoutARush_anyNumberEnters() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(enters("eve")).isTrue();
        }
    }

    @Test
    void inARush_soManyEnterBesideThoseThatWait() {
        rush.overloaded();
        waiting.set(3);
        for (int i = 0; i < 5; i++) {
            assertThat(enters("eve")).isTrue();
        }

        assertThat(enters("eve")).isFalse();
        assertThat(enters(null)).isFalse();
        rush.leave();
        assertThat(enters("eve")).isTrue();
    }

    @Test
    void ownerWhereHeIsKnown_alwaysEnters_andIsCounted() {
        rush.overloaded();
        for (int i = 0; i < 10; i++) {
            assertThat(enters("ada")).isTrue();
        }

        assertThat(enters("eve")).isFalse();
    }

    @Test
    void rush_lastsForASecond_alsoWhereTheClockTurnsOver() {
        rush.overloaded();
        enters("eve");
        enters("eve");
        now.addAndGet(Duration.ofSeconds(1).minusNanos(1).toNanos());
        assertThat(enters("eve")).isFalse();

        now.addAndGet(1);
        assertThat(enters("eve")).isTrue();
    }

    @Test
    void refusal_isAnOverload_thatEndsInASecond() {
        assertThat(LoginRush.refusal().kind()).isEqualTo(Kind.OVERLOAD);
        assertThat(LoginRush.refusal().retryAfter()).contains(Duration.ofSeconds(1));
    }

    private boolean enters(String username) {
        return rush.enter(username);
    }
}
