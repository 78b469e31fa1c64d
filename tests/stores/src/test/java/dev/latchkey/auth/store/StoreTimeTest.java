package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Stores whose calls take time, by a clock of the test's. */
class StoreTimeTest {

    private final List<Duration> given = new ArrayList<>();
    private long nanos;
    private Duration each = Duration.ofMillis(900);

    private final StoreTime time = new StoreTime(StoreTime.OF_A_REQUEST, () -> nanos);

    private final LoginStore logins = time.of(new MapLogins(() -> Instant.EPOCH) {
        @Override
        public LoginStore within(Duration longest) {
            given.add(longest);
            return this;
        }

        @Override
        public Optional<StoredLogin> find(String id) {
            nanos += each.toNanos();
            return super.find(id);
        }
    });

    private final RevocationStore revocations =
            time.of(new MapRevocations(new MapRevocations.Shared(), () -> Instant.EPOCH) {
                @Override
                public RevocationStore within(Duration longest) {
                    given.add(longest);
                    return this;
                }

                @Override
                public boolean isTokenRevoked(String tokenId) {
                    nanos += each.toNanos();
                    return super.isTokenRevoked(tokenId);
                }
            });

    @Test
    void callsOfBothStores_haveOneTimeTogether() {
        assertThat(logins.find("f")).isEmpty();
        assertThat(revocations.isTokenRevoked("t")).isFalse();
        assertThat(logins.find("f")).isEmpty();
        assertThat(given).containsExactly(Duration.ofMillis(2_000), Duration.ofMillis(1_100), Duration.ofMillis(200));
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> revocations.isTokenRevoked("t"))
                .withMessage("The stores have taken 2 seconds of this request already");
        assertThat(given).hasSize(3);
    }

    @Test
    void whatTheRequestDoesBesides_takesNothing() {
        each = Duration.ZERO;
        nanos += Duration.ofMinutes(1).toNanos();
        assertThat(logins.find("f")).isEmpty();
        nanos += Duration.ofMinutes(1).toNanos();
        assertThat(logins.find("f")).isEmpty();
        assertThat(given).containsOnly(StoreTime.OF_A_REQUEST);
    }
}
