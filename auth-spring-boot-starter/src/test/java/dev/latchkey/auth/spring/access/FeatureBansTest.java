package dev.latchkey.auth.spring.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bans by a clock that the test moves, on two nodes with one store. */
class FeatureBansTest {

    private static final Instant START = Instant.parse("2026-11-24T10:00:00Z");
    private static final Duration LIFETIME = Duration.ofHours(1);

    private Instant now = START;
    private final InMemoryRevocationStore store = new InMemoryRevocationStore(LIFETIME, () -> now);
    private final FeatureBans bans = new FeatureBans(store, () -> now);
    private final FeatureBans otherNode = new FeatureBans(store, () -> now);

    @Test
    void ban_holdsUntilItsEnd_forThisAccountAndThisFeature() {
        bans.ban("alice", "comment", START.plusSeconds(60));
        assertThat(otherNode.bannedUntil("alice", "comment")).contains(START.plusSeconds(60));
        assertThat(bans.bannedUntil("alice", "vote")).isEmpty();
        assertThat(bans.bannedUntil("bob", "comment")).isEmpty();
        now = START.plusSeconds(60).minusMillis(1);
        assertThat(bans.bannedUntil("alice", "comment")).isPresent();
        now = START.plusSeconds(60);
        assertThat(bans.bannedUntil("alice", "comment")).isEmpty();
    }

    @Test
    void banOfPartOfASecond_isRoundedUp() {
        bans.ban("alice", "comment", START.plusMillis(1500));
        assertThat(bans.bannedUntil("alice", "comment")).contains(START.plusSeconds(2));
    }

    /** One request may ban many accounts. */
    @Test
    void commands_useNoTimeOfTheRequest() {
        StoreTime time = StoreTime.ofARequest();
        List<StoreTime> used = new ArrayList<>();
        RevocationStore observed = (RevocationStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RevocationStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("within")) {
                        return proxy;
                    }
                    used.add(StoreTime.ofARequest());
                    return method.invoke(store, arguments);
                });
        FeatureBans commands = new FeatureBans(StoreTime.of(observed), () -> now);
        boolean isBanned = time.in(CurrentLogin.NONE).supply(() -> {
            commands.ban("alice", "comment", START.plusSeconds(60));
            commands.lift("alice", "comment");
            assertThat(used).isNotEmpty().doesNotContain(time);
            return commands.bannedUntil("alice", "comment").isPresent();
        });
        assertThat(isBanned).isFalse();
        assertThat(used).as("a question of the request").contains(time);
    }

    @Test
    void laterEndHolds_ofTwoBans() {
        bans.ban("alice", "comment", START.plusSeconds(60));
        otherNode.ban("alice", "comment", START.plusSeconds(30));
        assertThat(bans.bannedUntil("alice", "comment")).contains(START.plusSeconds(60));
    }

    @Test
    void liftedBan_canBeFollowedByAShorterOrALongerOne() {
        for (int round = 0; round < 3; round++) {
            for (int seconds : new int[] {600, 30, 1200}) {
                bans.ban("alice", "comment", now.plusSeconds(seconds));
                assertThat(otherNode.bannedUntil("alice", "comment")).contains(now.plusSeconds(seconds));
                otherNode.lift("alice", "comment");
                assertThat(bans.bannedUntil("alice", "comment")).isEmpty();
                now = now.plusSeconds(1);
            }
        }
    }

    @Test
    void longBanAfterALiftedShortOne_outlivesWhatTheStoreForgets() {
        bans.ban("alice", "comment", START.plusSeconds(10));
        bans.lift("alice", "comment");
        Instant end = START.plus(LIFETIME.multipliedBy(100));
        bans.ban("alice", "comment", end);
        now = end.minusSeconds(1);
        store.revokeSubject("somebody", now); // which has the store forget what is over
        assertThat(bans.bannedUntil("alice", "comment")).contains(end);
    }

    @Test
    void liftedLongBan_doesNotComeBack_asLongAsTheStoreKnowsIt() {
        Instant end = START.plus(LIFETIME.multipliedBy(100));
        bans.ban("alice", "comment", end);
        bans.lift("alice", "comment");
        for (now = START; now.isBefore(end.plus(LIFETIME.multipliedBy(2))); now = now.plus(LIFETIME)) {
            store.revokeSubject("somebody", now);
            assertThat(bans.bannedUntil("alice", "comment")).isEmpty();
        }
    }

    @Test
    void banWithoutAnEnd_canBeLiftedAgainAndAgain() {
        for (int round = 0; round < 3; round++) {
            bans.ban("alice", "comment", Instant.MAX);
            assertThat(bans.bannedUntil("alice", "comment")).isPresent();
            bans.lift("alice", "comment");
            assertThat(bans.bannedUntil("alice", "comment")).isEmpty();
        }
    }

    @Test
    void changeOfAnotherNode_thatThisNodesCopyHasNotRead_isNotLost() {
        OldCopy copy = new OldCopy(store);
        FeatureBans late = new FeatureBans(copy, () -> now);
        bans.ban("alice", "comment", START.plusSeconds(60));
        late.lift("alice", "comment");
        assertThat(bans.bannedUntil("alice", "comment")).isEmpty();
        bans.ban("alice", "comment", START.plusSeconds(90));
        bans.lift("alice", "comment");
        late.ban("alice", "comment", START.plusSeconds(30));
        assertThat(bans.bannedUntil("alice", "comment")).contains(START.plusSeconds(30));
    }

    @Test
    void ban_leavesTheTokensOfTheAccountGood() {
        bans.ban("alice", "comment", Instant.MAX);
        assertThat(store.notBefore("alice")).isEqualTo(Instant.MIN);
    }

    @Test
    void endThatIsNotInTheFuture_isRefused() {
        assertThatThrownBy(() -> bans.ban("alice", "comment", START)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bans.ban("alice", "comment", Instant.MIN))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\0b", "a\nb"})
    void nameThatIsNone_isRefused(String name) {
        assertThatThrownBy(() -> bans.ban("alice", name, Instant.MAX)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bans.bannedUntil(name, "comment")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bans.lift(name, "comment")).isInstanceOf(IllegalArgumentException.class);
    }

    /** A node whose copy of the store has read nothing yet. */
    private record OldCopy(InMemoryRevocationStore store) implements RevocationStore {

        @Override
        public void revokeToken(String tokenId, Instant expiresAt) {
            store.revokeToken(tokenId, expiresAt);
        }

        @Override
        public void revokeSubject(String subjectId, Instant notBefore) {
            store.revokeSubject(subjectId, notBefore);
        }

        @Override
        public Instant notBefore(String subjectId) {
            return Instant.MIN;
        }

        @Override
        public Instant currentNotBefore(String subjectId) {
            return store.notBefore(subjectId);
        }

        @Override
        public boolean isTokenRevoked(String tokenId) {
            return false;
        }
    }
}
