package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores whose calls take time, by a clock of the test's. */
class StoreTimeTest {

    private final List<Duration> given = new ArrayList<>();
    private long nanos;
    private Duration each = Duration.ofMillis(900);

    private final StoreTime time = new StoreTime(StoreTime.OF_A_REQUEST, () -> nanos);

    private final LoginStore logins = StoreTime.of(new MapLogins(() -> Instant.EPOCH) {
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
            StoreTime.of(new MapRevocations(new MapRevocations.Shared(), () -> Instant.EPOCH) {
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

    @BeforeEach
    void beginRequest() {
        time.in(CurrentLogin.NONE).bind();
    }

    @AfterEach
    void endRequest() {
        CurrentLogin.NONE.bind();
    }

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

    /** A store that takes its time for each question, or the time that it is left. */
    private final class SlowRevocations extends MapRevocations {

        private final Duration longest;

        SlowRevocations(Duration longest) {
            super(new MapRevocations.Shared(), () -> Instant.EPOCH);
            this.longest = longest;
        }

        private void take() {
            nanos += Math.min(each.toNanos(), longest.toNanos());
            if (each.compareTo(longest) > 0) {
                throw AuthUnavailableException.outage("slow");
            }
        }

        @Override
        public Instant notBefore(String subjectId) {
            take();
            return super.notBefore(subjectId);
        }

        @Override
        public boolean isTokenRevoked(String tokenId) {
            take();
            return super.isTokenRevoked(tokenId);
        }

        @Override
        public RevocationStore within(Duration left) {
            return new SlowRevocations(left);
        }
    }

    private static VerifiedJwt token() {
        HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
        String text = JwtSigner.with(key)
                .withGeneratedIds()
                .sign(JwtClaims.forSubject("ada", Duration.ofMinutes(5))
                        .with("sid", "s")
                        .with("act", Map.of("sub", "bob")));
        return JwtVerifier.with(key).verifyOrThrow(text);
    }

    /** A token is asked for by its id, its session, its subject, and the account that acts. */
    @ParameterizedTest
    @ValueSource(ints = {501, 600, 1_000, 1_900, 60_000})
    void checkOfAToken_hasTheTimeOfItsRequest(int millis) {
        each = Duration.ofMillis(millis);
        JwtRevocations slow = JwtRevocations.in(new SlowRevocations(StoreTime.OF_A_REQUEST));
        VerifiedJwt token = token();
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> slow.isRevoked(token));
        assertThat(Duration.ofNanos(nanos)).isEqualTo(StoreTime.OF_A_REQUEST);
    }

    @Test
    void checkOfAToken_leavesTheRestToTheRequest() {
        each = Duration.ofMillis(499);
        JwtRevocations slow = JwtRevocations.in(new SlowRevocations(StoreTime.OF_A_REQUEST));
        VerifiedJwt token = token();
        assertThat(slow.isRevoked(token)).isFalse();
        assertThat(logins.find("f")).isEmpty();
        assertThat(given).containsExactly(Duration.ofMillis(4));
    }

    @Test
    void threadsOfARequest_haveOneTime_andOtherThreadsANewOneEach() throws Exception {
        CurrentLogin request = time.in(CurrentLogin.NONE);
        assertThat(request.call(StoreTime::ofARequest)).isSameAs(time);
        StoreTime other = CurrentLogin.NONE.call(StoreTime::ofARequest);
        assertThat(other).isNotSameAs(time).isNotSameAs(CurrentLogin.NONE.call(StoreTime::ofARequest));
    }

    @Test
    void workWithoutARequest_hasOneTime_andWorkInARequestThatOfTheRequest() throws Exception {
        StoreTime own = CurrentLogin.NONE.call(() -> StoreTime.inOneRequest(() -> {
            StoreTime first = StoreTime.ofARequest();
            assertThat(StoreTime.ofARequest()).isSameAs(first);
            return first;
        }));
        assertThat(own).isNotSameAs(time);
        assertThat(StoreTime.inOneRequest(StoreTime::ofARequest)).isSameAs(time);
    }

    @Test
    void callsOfLongWork_haveATimeEach() {
        each = StoreTime.OF_A_REQUEST;
        assertThat(logins.find("f")).isEmpty();
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> logins.find("f"));
        assertThat(StoreTime.<Optional<StoredLogin>>forEachCall(() -> logins.find("f")))
                .isEmpty();
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> logins.find("f"));
    }

    @Test
    void revocationsOfAccounts_haveATimeEach() {
        each = StoreTime.OF_A_REQUEST;
        assertThat(logins.find("f")).isEmpty();
        given.clear();
        for (int i = 0; i < 3; i++) {
            revocations.revokeSubject("customer" + i, Instant.EPOCH);
        }
        assertThat(given).hasSize(3).containsOnly(StoreTime.OF_A_REQUEST);
    }

    @Test
    void revocationsOfAccountsThroughACopy_haveATimeEach() {
        MapSharedRevocations shared = new MapSharedRevocations() {
            @Override
            public SharedRevocationStore within(Duration longest) {
                given.add(longest);
                return this;
            }
        };
        Duration used = time.spend(left -> {
            nanos += left.toNanos();
            return left;
        });
        assertThat(used).isEqualTo(StoreTime.OF_A_REQUEST);
        LocalRevocations copy = LocalRevocations.of(shared, LocalRevocationSettings.defaults());
        for (int i = 0; i < 3; i++) {
            copy.revokeSubject("customer" + i, Instant.EPOCH);
        }
        assertThat(given).hasSize(3).containsOnly(StoreTime.OF_A_REQUEST);
    }

    @Test
    void viewOfAView_countsOnce() {
        assertThat(StoreTime.of(logins)).isSameAs(logins);
        assertThat(StoreTime.of(revocations)).isSameAs(revocations);
    }

    @Test
    void answerFromMemory_readsNoClock() {
        StoreTime untouched = new StoreTime(StoreTime.OF_A_REQUEST, () -> {
            throw new IllegalStateException("The clock was read");
        });
        RevocationStore memory = new InMemoryRevocationStore(Duration.ofHours(1));
        assertThat(StoreTime.of(memory)).isSameAs(memory);
        MapSharedRevocations shared = new MapSharedRevocations();
        LocalRevocations copy = LocalRevocations.of(shared, LocalRevocationSettings.defaults(), Instant::now, () -> 1);
        copy.refresh();
        copy.revokeToken("revoked", Instant.now().plusSeconds(60));
        RevocationStore timed = StoreTime.of(copy);
        untouched.in(CurrentLogin.NONE).bind();
        assertThat(timed.isTokenRevoked("revoked")).isTrue();
        assertThat(timed.isTokenRevoked("other")).isFalse();
        assertThat(timed.notBefore("ada")).isEqualTo(Instant.MIN);
    }

    /** A copy that is out of date asks the store, within the time of the request. */
    @Test
    void questionsOfAnOldCopy_useTheTimeUp_andTheStoreCountsAsUp() {
        each = Duration.ofMillis(900);
        MapSharedRevocations shared = new MapSharedRevocations() {
            @Override
            public SharedRevocationStore within(Duration longest) {
                given.add(longest);
                nanos += each.toNanos();
                return this;
            }
        };
        LocalRevocations copy = LocalRevocations.of(shared, LocalRevocationSettings.defaults(), Instant::now, () -> 1);
        RevocationStore timed = StoreTime.of(copy);
        assertThat(timed.isTokenRevoked("t")).isFalse();
        assertThat(timed.notBefore("ada")).isEqualTo(Instant.MIN);
        assertThat(timed.isTokenRevoked("t")).isFalse();
        assertThat(given).containsExactly(Duration.ofMillis(2_000), Duration.ofMillis(1_100), Duration.ofMillis(200));
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> timed.isTokenRevoked("t"))
                .withMessage("The stores have taken 2 seconds of this request already");
        assertThat(copy.status().isAnswering()).isTrue();
        endRequest();
        assertThat(copy.isTokenRevoked("t")).as("another request").isFalse();
    }
}
