package dev.latchkey.auth.spring.login;

import static dev.latchkey.auth.spring.login.RefreshScene.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Two tabs refresh with one token at nearly the same time. */
class RefreshRaceTest {

    private final RefreshScene scene = new RefreshScene();

    @Test
    void revocationOfAllDuringARefresh_coversTheTokenOfTheRefresh() {
        String first = text(scene.login());
        scene.beforeRevocationsAreAsked = method -> {
            if (method.equals("isTokenRevoked")) {
                scene.beforeRevocationsAreAsked = other -> {};
                scene.account.revokeAll("alice");
                scene.now = scene.now.plusSeconds(2);
            }
        };
        IssuedTokens tokens = scene.logins.refresh(first).orElseThrow();
        assertThat(scene.isAccepted(tokens)).isFalse();
        assertThat(scene.logins.refresh(text(tokens))).isEmpty();
    }

    @Test
    void loserOfARace_getsTheWinnersToken_andBothGoOnWithIt() {
        String shared = text(scene.login());
        IssuedTokens winner = refreshed(shared);
        scene.now = scene.now.plusSeconds(2);
        IssuedTokens loser = refreshed(shared);
        assertThat(text(loser)).isEqualTo(text(winner));
        assertThat(scene.isAccepted(winner)).isTrue();
        assertThat(scene.isAccepted(loser)).isTrue();
        assertThat(scene.logins.refresh(text(winner))).isPresent();
        assertThat(scene.store.size()).isEqualTo(1);
    }

    @Test
    void usedTokenWithinTheWindow_isAnswered_andAtItsEndItEndsTheLogin() {
        String shared = text(scene.login());
        IssuedTokens winner = refreshed(shared);
        scene.now = scene.now.plus(RefreshScene.RACE).minusNanos(1);
        assertThat(scene.logins.refresh(shared)).isPresent();
        scene.now = scene.now.plusNanos(1);
        assertThat(scene.logins.refresh(shared)).isEmpty();
        assertThat(scene.logins.refresh(text(winner))).isEmpty();
        assertThat(scene.isAccepted(winner)).isFalse();
    }

    @Test
    void usedTokenWhereTheClockWasSetBack_orIsAnotherNodes_hasNoLongerWindow() {
        String shared = text(scene.login());
        IssuedTokens winner = refreshed(shared);
        scene.now = scene.now.minus(RefreshScene.RACE).plusNanos(1);
        assertThat(scene.logins.refresh(shared)).isPresent();
        scene.now = scene.now.minusNanos(1);
        assertThat(scene.logins.refresh(shared)).isEmpty();
        assertThat(scene.logins.refresh(text(winner))).isEmpty();
    }

    @Test
    void winnersTokenThatTheStoreCannotAcknowledge_isToldToNobody_andLaterItIs() {
        String shared = text(scene.login());
        IssuedTokens winner = refreshed(shared);
        scene.loginsCannotBeWritten = true;
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> scene.logins.refresh(shared));
        scene.loginsCannotBeWritten = false;
        assertThat(text(refreshed(shared))).isEqualTo(text(winner));
    }

    @Test
    void winnersTokenThatNobodyGets_isNotAcknowledged() {
        String shared = text(scene.login());
        IssuedTokens winner = refreshed(shared);
        scene.askedOfLogins.clear();
        scene.claims = () -> {
            throw AuthUnavailableException.outage("The claims are in a database");
        };
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> scene.logins.refresh(shared));
        assertThat(scene.askedOfLogins).containsOnly("find");
        scene.claims = Map::of;
        assertThat(text(refreshed(shared))).isEqualTo(text(winner));
        assertThat(scene.askedOfLogins).contains("replace");
    }

    @Test
    void answerToALoser_doesNotProlongTheWindow() {
        String shared = text(scene.login());
        refreshed(shared);
        for (int second = 1; second < 5; second++) {
            scene.now = scene.now.plusSeconds(1);
            refreshed(shared);
        }
        scene.now = scene.now.plusSeconds(1);
        assertThat(scene.logins.refresh(shared)).isEmpty();
    }

    @Test
    void tokenBeforeTheLastOne_endsTheLogin_howeverSoonItComes() {
        String first = text(scene.login());
        String second = text(refreshed(first));
        String third = text(refreshed(second));
        assertThat(scene.logins.refresh(first)).isEmpty();
        assertThat(scene.logins.refresh(third)).isEmpty();
    }

    @Test
    void forgedTokenWithinTheWindow_endsTheLogin() {
        String shared = text(scene.login());
        String winners = text(refreshed(shared));
        assertThat(scene.logins.refresh(shared.substring(0, 40) + "A".repeat(24)))
                .isEmpty();
        assertThat(scene.logins.refresh(winners)).isEmpty();
    }

    @Test
    void loser_isAskedAboutLikeAnybody() {
        String disabled = text(scene.login());
        refreshed(disabled);
        scene.accounts.state = Rejected.because(RejectionReason.ACCOUNT_DISABLED);
        assertThat(scene.logins.refresh(disabled)).isEmpty();
        scene.accounts.state = null;
        String changed = text(scene.login());
        refreshed(changed);
        scene.accounts.stamp = "another hash";
        assertThat(scene.logins.refresh(changed)).isEmpty();
        String revoked = text(scene.login());
        refreshed(revoked);
        scene.plugins.revokeAll("alice", scene.now);
        assertThat(scene.logins.refresh(revoked)).isEmpty();
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void loginThatHasEnded_isAnsweredToNoLoser() {
        String shared = text(scene.login());
        IssuedTokens winner = refreshed(shared);
        scene.revocation.revoke(winner.access().value());
        assertThat(scene.logins.refresh(shared)).isEmpty();
    }

    @Test
    void parallelRefreshesOfOneToken_getTheSameToken_andTheLoginGoesOn() throws Exception {
        for (int round = 0; round < 50; round++) {
            List<IssuedTokens> issued = inParallel(scene, text(scene.login()));
            assertThat(issued).hasSize(THREADS);
            Set<String> refreshTokens = new HashSet<>();
            issued.forEach(tokens -> refreshTokens.add(text(tokens)));
            assertThat(refreshTokens).hasSize(1);
            assertThat(scene.logins.refresh(text(issued.get(0)))).isPresent();
        }
    }

    @Test
    void withoutAWindow_oneOfParallelRefreshesSucceeds_andTheLoginEnds() throws Exception {
        RefreshScene strict = new RefreshScene(Duration.ZERO);
        for (int round = 0; round < 50; round++) {
            List<IssuedTokens> issued = inParallel(strict, text(strict.login()));
            assertThat(issued).hasSize(1);
            assertThat(strict.store.size()).isZero();
            assertThat(strict.logins.refresh(text(issued.get(0)))).isEmpty();
        }
    }

    private static final int THREADS = 8;

    private static List<IssuedTokens> inParallel(RefreshScene scene, String token) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<Optional<IssuedTokens>>> answers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                answers.add(pool.submit(() -> {
                    start.await();
                    return scene.logins.refresh(token);
                }));
            }
            start.countDown();
            List<IssuedTokens> issued = new ArrayList<>();
            for (Future<Optional<IssuedTokens>> answer : answers) {
                answer.get().ifPresent(issued::add);
            }
            return issued;
        } finally {
            pool.shutdownNow();
        }
    }

    private IssuedTokens refreshed(String token) {
        return scene.logins.refresh(token).orElseThrow();
    }
}
