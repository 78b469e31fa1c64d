package dev.latchkey.auth.guard.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.Attempts;
import dev.latchkey.auth.guard.login.LoginAttempt;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.testsupport.LogLines;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FallbackBucketStoreTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();

    /** A store across a network that can be down in several ways. */
    private final class Remote implements BucketStore {

        private final LocalBucketStore there = LocalBucketStore.create(time);
        private Mode mode = Mode.UP;
        private Duration slowness = Duration.ofMillis(40);
        private int asked;

        @Override
        public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
            asked++;
            return switch (mode) {
                case UP -> there.take(policy, key);
                case FAILS -> CompletableFuture.failedStage(new IllegalStateException("connection refused"));
                case THROWS -> throw new IllegalStateException("no connection");
                case HANGS -> new CompletableFuture<>();
                case SLOW -> {
                    CompletableFuture<BucketTake> answer = new CompletableFuture<>();
                    BucketTake take =
                            there.take(policy, key).toCompletableFuture().join();
                    time.after(slowness, () -> answer.complete(take));
                    yield answer;
                }
                case ANSWERS_NULL -> CompletableFuture.completedStage(null);
            };
        }

        @Override
        public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
            return mode == Mode.UP || mode == Mode.SLOW
                    ? there.giveBack(policy, key, tokens)
                    : CompletableFuture.failedStage(new IllegalStateException("connection refused"));
        }
    }

    private enum Mode {
        UP,
        FAILS,
        THROWS,
        HANGS,
        SLOW,
        ANSWERS_NULL
    }

    private final ManualTime time = new ManualTime();
    private final LogLines log = LogLines.of(OutageLog.class);
    private final Remote remote = new Remote();
    private final List<GuardEvent> changes = new ArrayList<>();
    private final LoginLimits limits =
            LoginLimits.shared(LoginLimitSettings.defaults(), remote, Secret.of("k".repeat(32)), time, this::remember);

    @AfterEach
    void close() {
        log.close();
    }

    private void remember(GuardEvent event) {
        if (event instanceof GuardEvent.StoreLost || event instanceof GuardEvent.StoreFound) {
            changes.add(event);
        }
    }

    private CompletableFuture<Boolean> fails(String account) {
        return limits.reserve(new LoginAttempt(account, HOME), null).thenApply(admission -> {
            if (admission instanceof Admission.Admitted admitted) {
                admitted.reservation().settle(AttemptResult.FAILED, null);
                return true;
            }
            return false;
        });
    }

    private int admittedOf(int attempts, String account) {
        int admitted = 0;
        for (int i = 0; i < attempts; i++) {
            admitted += fails(account).join() ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void storeThatFails_leavesLocalLimits_notifiedOnce() {
        remote.mode = Mode.FAILS;
        assertThat(admittedOf(100, "ann")).isEqualTo(5);
        assertThat(changes).containsExactly(new GuardEvent.StoreLost());
        assertThat(remote.asked).isEqualTo(1);
    }

    @Test
    void lossAndReturnOfTheStore_areLoggedOnceEach() {
        remote.mode = Mode.FAILS;
        for (int i = 0; i < 4; i++) {
            admittedOf(10, "ann" + i);
            time.advance(Duration.ofSeconds(5));
        }
        assertThat(log.all())
                .containsExactly(
                        "WARNING: The shared store of login limits does not answer: limits are local until it does,"
                                + " caused by java.lang.IllegalStateException: connection refused");
        remote.mode = Mode.UP;
        admittedOf(10, "eve");
        time.advance(Duration.ofSeconds(10));
        admittedOf(10, "eve");
        assertThat(log.all()).hasSize(2).last().isEqualTo("INFO: The shared store of login limits answers again");
    }

    @Test
    void storeThatFailsEverySecondTime_isOneLineInTheLog() {
        for (int i = 0; i < 50; i++) {
            remote.mode = i % 2 == 0 ? Mode.FAILS : Mode.UP;
            admittedOf(2, "ann" + i);
            time.advance(Duration.ofSeconds(2));
        }
        assertThat(changes).hasSize(50);
        assertThat(log.all()).hasSize(1);
    }

    @Test
    void loginThatFindsTheStoreDown_isCountedToo() {
        BucketStore store = FallbackBucketStore.of(remote, LocalBucketStore.create(time), time, GuardListener.NONE);
        BucketPolicy one = BucketPolicy.of("one", LimitWindow.of(1, Duration.ofHours(1)));
        BucketKey key = new BucketKey(1, 2);
        remote.mode = Mode.FAILS;
        assertThat(store.take(one, key).toCompletableFuture().join().taken()).isTrue();
        assertThat(store.take(one, key).toCompletableFuture().join().taken()).isFalse();
    }

    @Test
    void throwingStore_isDown_likeAFailingStore() {
        remote.mode = Mode.THROWS;
        assertThat(admittedOf(100, "ann")).isEqualTo(5);
        assertThat(changes).containsExactly(new GuardEvent.StoreLost());
    }

    @Test
    void storeThatHangs_delaysOneLoginForAMomentAndNoOther() {
        remote.mode = Mode.HANGS;
        CompletableFuture<Boolean> first = fails("ann");
        time.advance(Duration.ofMillis(99));
        assertThat(first).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThat(first).isCompletedWithValue(true);
        assertThat(admittedOf(100, "ann")).isEqualTo(4);
        assertThat(changes).containsExactly(new GuardEvent.StoreLost());
    }

    @Test
    void answersThatAreSlowTogether_delayALoginByNoMoreThanOne() {
        remote.mode = Mode.SLOW;
        CompletableFuture<Boolean> login = fails("ann");
        time.advance(Duration.ofMillis(99));
        assertThat(login).isNotDone();
        assertThat(remote.asked).isEqualTo(3);
        time.advance(Duration.ofMillis(1));
        assertThat(login).isCompletedWithValue(true);
        assertThat(changes).containsExactly(new GuardEvent.StoreLost());
    }

    @Test
    void accountThatIsFoundAfterwards_isAskedForWithAPatienceOfItsOwn() {
        remote.mode = Mode.SLOW;
        remote.slowness = Duration.ofMillis(30);
        CompletableFuture<Admission> named = limits.reserve(new LoginAttempt("ann", HOME), null);
        time.advance(Duration.ofMillis(90));
        CompletableFuture<Admission> found = named.join().orThrow().found("{bcrypt}$2a$10$.another.salt.and.hash");
        time.advance(Duration.ofMillis(60));
        assertThat(found).isCompleted();
        assertThat(changes).isEmpty();
    }

    /** The answers of all turns together take longer than 100 milliseconds. The store answers in time all the same. */
    @Test
    void loginThatWaitsForOthers_hasAPatienceOfItsOwnAtEachTurn() {
        Deque<Reservation> running = new ArrayDeque<>();
        for (int i = 0; i < 5; i++) {
            running.add(
                    limits.reserve(new LoginAttempt("ann", HOME), null).join().orThrow());
        }
        remote.mode = Mode.SLOW;
        remote.slowness = Duration.ofMillis(30);
        CompletableFuture<Admission> waits = limits.reserve(new LoginAttempt("ann", HOME), null);
        time.advance(Duration.ofMillis(90));
        assertThat(waits).isNotDone();
        running.remove().settle(AttemptResult.NOT_ATTEMPTED, null);
        time.advance(Duration.ofMillis(90));
        assertThat(waits).isCompletedWithValueMatching(Admission.Admitted.class::isInstance);
        assertThat(changes).isEmpty();
    }

    /** The worst case: the store is lost at each step, and another caller finds the store before the next step. */
    @Test
    void loginOfTwoSteps_waitsForAStoreThatComesAndGoes_twoHundredMillisecondsInAll() {
        // A place that is known by the password is a stranger's once a second step is wanted, and takes a token more.
        assertThat(new Attempts(limits).admits("ann", HOME, "right")).isTrue();
        remote.mode = Mode.HANGS;
        CompletableFuture<Admission> named = limits.reserve(new LoginAttempt("ann", HOME), null);
        Duration waited = waitFor(named);
        comeAndGo();
        CompletableFuture<Admission> found = named.join().orThrow().found("{bcrypt}$2a$10$.another.salt.and.hash");
        waited = waited.plus(waitFor(found));
        comeAndGo();
        waited = waited.plus(waitFor(named.join().orThrow().challenged()));
        assertThat(waited).isEqualTo(Duration.ofMillis(200));
    }

    private void comeAndGo() {
        remote.mode = Mode.UP;
        time.advance(Duration.ofSeconds(5));
        admittedOf(1, "eve");
        remote.mode = Mode.HANGS;
    }

    private Duration waitFor(CompletableFuture<?> answer) {
        long begun = time.nanoTime();
        while (!answer.isDone()) {
            time.advance(Duration.ofMillis(1));
        }
        return Duration.ofNanos(time.nanoTime() - begun);
    }

    @Test
    void tokenThatComesTooLate_goesBack() {
        BucketStore store = FallbackBucketStore.of(remote, LocalBucketStore.create(time), time, GuardListener.NONE);
        BucketPolicy one = BucketPolicy.of("one", LimitWindow.of(1, Duration.ofHours(1)));
        BucketKey key = new BucketKey(1, 2);
        remote.mode = Mode.SLOW;
        remote.slowness = Duration.ofSeconds(5);
        CompletionStage<BucketTake> take = store.take(one, key);
        time.advance(Duration.ofMillis(100));
        assertThat(take.toCompletableFuture()).isCompletedWithValue(BucketTake.TAKEN);
        remote.mode = Mode.UP;
        time.advance(Duration.ofSeconds(5));
        assertThat(remote.there.take(one, key).toCompletableFuture().join().taken())
                .isTrue();
    }

    @Test
    void storeInAnOutage_isAskedByOneLoginPerPause_untilItAnswers() {
        remote.mode = Mode.FAILS;
        admittedOf(3, "ann");
        time.advance(Duration.ofSeconds(5));
        admittedOf(3, "bob");
        assertThat(remote.asked).isEqualTo(2);
        remote.mode = Mode.UP;
        time.advance(Duration.ofSeconds(5));
        assertThat(admittedOf(100, "eve")).isEqualTo(5);
        assertThat(remote.asked).isGreaterThan(10);
        assertThat(changes).containsExactly(new GuardEvent.StoreLost(), new GuardEvent.StoreFound());
    }

    /** Once, a store with early and late answers by turns was lost and found with each answer. */
    @Test
    void answerToAQuestionOfBeforeTheLoss_doesNotFindTheStoreAgain() {
        BucketStore store = FallbackBucketStore.of(remote, LocalBucketStore.create(time), time, this::remember);
        BucketPolicy many = BucketPolicy.of("many", LimitWindow.of(9, Duration.ofHours(1)));
        remote.mode = Mode.SLOW;
        remote.slowness = Duration.ofMillis(75);
        CompletionStage<BucketTake> asked = store.take(many, new BucketKey(1, 2));
        remote.mode = Mode.FAILS;
        store.take(many, new BucketKey(3, 4));
        time.advance(Duration.ofMillis(75));
        assertThat(asked.toCompletableFuture()).isCompletedWithValue(BucketTake.TAKEN);
        assertThat(changes).containsExactly(new GuardEvent.StoreLost());
    }

    @Test
    void nodesThatShareAStoreAndAKeyShareTheirLimits() {
        LoginLimits other = LoginLimits.shared(
                LoginLimitSettings.defaults(), remote, Secret.of("k".repeat(32)), time, GuardListener.NONE);
        assertThat(admittedOf(100, "ann")).isEqualTo(5);
        assertThat(other.reserve(new LoginAttempt("ann", HOME), null).join()).isInstanceOf(Admission.Refused.class);
    }

    @Test
    void nodesWithOneStoreAndKey_shareTheFoundAccount_forEveryName() {
        LoginLimits other = LoginLimits.shared(
                LoginLimitSettings.defaults(), remote, Secret.of("k".repeat(32)), time, GuardListener.NONE);
        int compared = 0;
        for (int i = 0; i < 50; i++) {
            Attempts node = new Attempts(i % 2 == 0 ? limits : other);
            compared += node.admits("ann" + i, HOME, "wrong" + i) ? 1 : 0;
        }
        assertThat(compared).isEqualTo(5);
    }

    @Test
    void knownPair_isAdmittedWhileTheStoreIsDown_andBoundedByLocalLimits() {
        Attempts attempts = new Attempts(limits);
        assertThat(attempts.admits("ann", HOME, "right")).isTrue();
        remote.mode = Mode.FAILS;
        assertThat(attempts.admits("ann", HOME, "right")).isTrue();
        assertThat(attempts.guesses(100, "ann", HOME)).isEqualTo(20);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void answerInTime_leavesNoWakeUp() {
        assertThat(admittedOf(1, "ann")).isEqualTo(1);
        assertThat(time.wakeUps()).isZero();
        assertThat(changes).isEmpty();
    }

    @Test
    void storeThatAnswersNothing_isDown() {
        remote.mode = Mode.ANSWERS_NULL;
        assertThat(admittedOf(100, "ann")).isEqualTo(5);
        assertThat(changes).containsExactly(new GuardEvent.StoreLost());
    }

    @Test
    void changedPolicy_reachesBothStores() {
        List<BucketPolicy> heard = new ArrayList<>();
        BucketStore listening = new BucketStore() {
            @Override
            public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
                return CompletableFuture.completedStage(BucketTake.TAKEN);
            }

            @Override
            public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
                return CompletableFuture.completedStage(BucketTake.TAKEN);
            }

            @Override
            public void changed(BucketPolicy policy) {
                heard.add(policy);
            }
        };
        BucketPolicy policy = BucketPolicy.of("one", LimitWindow.of(1, Duration.ofHours(1)));
        FallbackBucketStore.of(listening, listening, time, GuardListener.NONE).changed(policy);
        assertThat(heard).containsExactly(policy, policy);
    }

    @Test
    void keyOfSharedLimitsThatIsTooShortIsRefused() {
        assertThatThrownBy(() -> LoginLimits.shared(
                        LoginLimitSettings.defaults(), remote, Secret.of("k".repeat(31)), time, GuardListener.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("32");
    }
}
