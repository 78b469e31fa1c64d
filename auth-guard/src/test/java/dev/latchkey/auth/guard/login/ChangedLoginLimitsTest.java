package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.testsupport.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits that are changed while logins come in. */
class ChangedLoginLimitsTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final LocalBucketStore store = LocalBucketStore.create(time);
    private final LogLines log = LogLines.of(LoginLimits.class);
    private final LoginLimits limits = LoginLimits.local(
            LoginLimitSettings.defaults()
                    .with(LoginBucket.ACCOUNT_AND_SOURCE, LimitWindow.of(5, MINUTE.multipliedBy(5))),
            store,
            time,
            this::heard);
    private final List<GuardEvent> changes = new ArrayList<>();

    private void heard(GuardEvent event) {
        if (event instanceof GuardEvent.LimitChanged) {
            changes.add(event);
        }
    }

    @AfterEach
    void close() {
        log.close();
    }

    private CompletableFuture<Admission> reserve(String account) {
        return limits.reserve(new LoginAttempt(account, HOME), null);
    }

    private static boolean settle(Admission admission, AttemptResult result) {
        if (admission instanceof Admission.Admitted admitted) {
            admitted.reservation().settle(result, null);
            return true;
        }
        return false;
    }

    private boolean fails(String account) {
        return settle(reserve(account).join(), AttemptResult.FAILED);
    }

    private int failuresOf(String account) {
        int admitted = 0;
        while (fails(account)) {
            admitted++;
        }
        return admitted;
    }

    private void changeTo(long tokens, Duration per) {
        limits.change(LoginBucket.ACCOUNT_AND_SOURCE, 0, LimitWindow.of(tokens, per));
    }

    @Test
    void changedLimitHoldsForAccountsToCome_andIsShown() {
        changeTo(7, MINUTE);
        assertThat(failuresOf("ann")).isEqualTo(7);
        assertThat(limits.settings().policy(LoginBucket.ACCOUNT_AND_SOURCE).windows())
                .containsExactly(LimitWindow.of(7, MINUTE));
    }

    @Test
    void callerThatHasNoAttemptLeft_hasNoneAfterARaise_andRegainsThemAtTheNewRate() {
        assertThat(failuresOf("ann")).isEqualTo(5);
        changeTo(50, MINUTE.multipliedBy(5));
        assertThat(fails("ann")).isFalse();
        time.advance(Duration.ofSeconds(6));
        assertThat(failuresOf("ann")).isEqualTo(1);
    }

    @Test
    void halfSpentLimit_staysHalfSpent_afterAChangeAndItsReturn() {
        changeTo(10, MINUTE);
        for (int i = 0; i < 5; i++) {
            assertThat(fails("ann")).isTrue();
            assertThat(fails("bob")).isTrue();
        }
        changeTo(40, MINUTE);
        assertThat(failuresOf("ann")).isEqualTo(20);
        changeTo(10, MINUTE);
        assertThat(failuresOf("bob")).isEqualTo(5);
        assertThat(fails("ann")).isFalse();
    }

    @Test
    void slowerRefill_holdsFromTheChangeOn_alsoForWhoComesBackOnlyLater() {
        assertThat(failuresOf("ann")).isEqualTo(5);
        changeTo(5, MINUTE.multipliedBy(500));
        time.advance(MINUTE.multipliedBy(100).minusNanos(1));
        assertThat(fails("ann")).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(failuresOf("ann")).isEqualTo(1);
    }

    @Test
    void bucketUnderALongerWindow_isRememberedForAllOfIt() {
        assertThat(failuresOf("ann")).isEqualTo(5);
        changeTo(1, Duration.ofDays(2));
        time.advance(Duration.ofDays(2).minusNanos(1));
        assertThat(fails("ann")).isFalse();
    }

    @Test
    void sourceThatHasFailed_isNotFreshAgainBeforeTheLongerWindowIsOver() {
        fails("ann");
        changeTo(5, Duration.ofDays(2));
        limits.change(LoginBucket.ACCOUNT, 0, LimitWindow.of(1, Duration.ofDays(300)));
        time.advance(Duration.ofDays(3));
        ClientSource elsewhere = ClientSource.of("198.51.100.1").orElseThrow();
        LoginAttempt another = new LoginAttempt("bob", elsewhere);
        for (int i = 0; i < 2; i++) {
            assertThat(settle(limits.reserve(another, null).join(), AttemptResult.FAILED))
                    .isTrue();
        }
        // The account's bucket is empty, and so is the lane of recently failed sources; a fresh source would get in.
        assertThat(fails("bob")).isFalse();
    }

    @Test
    void wrongPassword_isRememberedForAllOfTheLongerWindow() {
        Attempts attempts = new Attempts(limits);
        attempts.admits("ann", HOME, "old");
        limits.change(LoginBucket.ACCOUNT, 0, LimitWindow.of(100, Duration.ofDays(300)));
        time.advance(Duration.ofDays(3));
        attempts.admits("ann", HOME, "old");
        assertThat(attempts.guesses(10, "ann", HOME)).isEqualTo(5);
    }

    @Test
    void loginThatWaits_isUnderTheNewLimitWhenItsTurnComes() {
        List<Admission> admitted = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            admitted.add(reserve("ann").join());
        }
        CompletableFuture<Admission> waiting = reserve("ann");
        changeTo(2, MINUTE.multipliedBy(5));
        assertThat(waiting).isNotDone();
        settle(admitted.get(0), AttemptResult.NOT_ATTEMPTED);
        assertThat(settle(waiting.join(), AttemptResult.NOT_ATTEMPTED)).isTrue();
        admitted.stream().skip(1).forEach(each -> settle(each, AttemptResult.NOT_ATTEMPTED));
        assertThat(failuresOf("ann")).isEqualTo(2);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void eachKindOfBucketCanBeChanged() {
        for (LoginBucket bucket : LoginBucket.values()) {
            LimitWindow window = LimitWindow.of(11, Duration.ofMinutes(3));
            limits.change(bucket, 0, window);
            assertThat(limits.settings().policy(bucket).windows()).contains(window);
        }
    }

    @Test
    void windowThatIsNone_isRefused_andNothingChanges() {
        LoginLimitSettings before = limits.settings();
        LimitWindow window = LimitWindow.of(1, MINUTE);
        assertThatThrownBy(() -> limits.change(LoginBucket.SOURCE, 2, window))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The limit 'login-source' has the windows 0 to 1, got 2");
        assertThatThrownBy(() -> limits.change(LoginBucket.SOURCE, -1, window))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(limits.settings()).isEqualTo(before);
    }

    @Test
    void windowLongerThanBucketsCanCount_isRefused() {
        assertThatThrownBy(() -> LimitWindow.of(1, Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("292 years");
        assertThat(LimitWindow.of(1, Duration.ofNanos(Long.MAX_VALUE - 1))).isNotNull();
    }

    @Test
    void changeIsLogged_andTold() {
        changeTo(7, MINUTE);
        assertThat(log.all()).singleElement().asString().contains("login-account-source", "7 in PT1M", "5 in PT5M");
        assertThat(changes)
                .containsExactly(new GuardEvent.LimitChanged("login-account-source", "5 in PT5M", "7 in PT1M"));
    }

    @Test
    void limitThatOneThreadHasChanged_isChangedByAnother() throws Exception {
        changeTo(7, MINUTE);
        ExecutorService another = Executors.newSingleThreadExecutor();
        try {
            another.submit(() -> changeTo(8, MINUTE)).get(60, TimeUnit.SECONDS);
        } finally {
            another.shutdownNow();
        }
        assertThat(failuresOf("ann")).isEqualTo(8);
    }

    @Test
    void noSequenceOfChanges_givesBackSpentTokens() {
        Random random = new Random(6);
        BucketKey key = new BucketKey(1, 2);
        BucketPolicy policy = BucketPolicy.of("p", LimitWindow.of(5, MINUTE));
        for (int i = 0; i < 5; i++) {
            assertThat(store.take(policy, key).toCompletableFuture().join().taken())
                    .isTrue();
        }
        for (int i = 0; i < 2_000; i++) {
            long per = 1 + (random.nextLong() >>> (1 + random.nextInt(60))) % (Long.MAX_VALUE - 2);
            long tokens = 1 + (random.nextLong() >>> (1 + random.nextInt(60))) % per;
            BucketPolicy next = BucketPolicy.of("p", LimitWindow.of(tokens, Duration.ofNanos(per)));
            if (random.nextBoolean()) {
                store.changed(next);
            }
            assertThat(store.take(next, key).toCompletableFuture().join().taken())
                    .as("%s", next)
                    .isFalse();
        }
    }

    @Test
    void changesAndFailuresAtTheSameTime_admitNoMoreThanTheHighestLimit_andEndWithTheLast() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        CountDownLatch started = new CountDownLatch(3);
        try {
            List<Future<Integer>> failures = List.of(
                    threads.submit(() -> failuresWhileOthersGoOn(started)),
                    threads.submit(() -> failuresWhileOthersGoOn(started)));
            Future<?> changes = threads.submit(() -> {
                meet(started);
                for (int i = 0; i < 500; i++) {
                    changeTo(50, MINUTE);
                    changeTo(5, MINUTE);
                }
                return null;
            });
            int admitted = 0;
            for (Future<Integer> each : failures) {
                admitted += each.get(60, TimeUnit.SECONDS);
            }
            changes.get(60, TimeUnit.SECONDS);
            assertThat(admitted).isBetween(1, 50);
        } finally {
            threads.shutdownNow();
        }
        failuresOf("ann");
        assertThat(limits.settings().policy(LoginBucket.ACCOUNT_AND_SOURCE).windows())
                .containsExactly(LimitWindow.of(5, MINUTE));
        assertThat(limits.stats().contended()).isZero();
        time.advance(MINUTE);
        assertThat(failuresOf("ann")).isEqualTo(5);
    }

    private int failuresWhileOthersGoOn(CountDownLatch started) throws Exception {
        meet(started);
        int admitted = 0;
        for (int i = 0; i < 2_000; i++) {
            admitted += settle(reserve("ann").get(60, TimeUnit.SECONDS), AttemptResult.FAILED) ? 1 : 0;
        }
        return admitted;
    }

    private static void meet(CountDownLatch started) throws InterruptedException {
        started.countDown();
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
