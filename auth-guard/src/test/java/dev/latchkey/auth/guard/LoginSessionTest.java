package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoginSessionTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();
    private static final LoginAttempt ANN = new LoginAttempt("ann", HOME);

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(
            LoginLimitSettings.defaults().withAccountAndSource(LimitWindow.of(2, Duration.ofMinutes(5))),
            time,
            GuardListener.NONE);
    private final HashingPool pool =
            HashingPool.start(HashingPoolSettings.defaults().withThreads(1), time);
    private final LoginGuard guard = new LoginGuard(limits, pool);

    @AfterEach
    void close() {
        pool.close();
    }

    private static CompletableFuture<AttemptResult> hash(LoginSession login, AttemptResult result) {
        return login.submit(0, () -> result, Function.identity());
    }

    private long settled(AttemptResult result) {
        return limits.stats().settled().get(result);
    }

    @Test
    void hashesThatFail_areOneFailureWhenTheLoginIsClosed() {
        try (LoginSession login = guard.open(ANN)) {
            for (int i = 0; i < 4; i++) {
                assertThat(hash(login, AttemptResult.FAILED).join()).isEqualTo(AttemptResult.FAILED);
            }
            assertThat(settled(AttemptResult.FAILED)).isZero();
        }
        assertThat(settled(AttemptResult.FAILED)).isEqualTo(1);
        assertThat(limits.stats().admitted()).isEqualTo(1);
    }

    @Test
    void successAfterAFailure_isASuccessAtOnce() {
        try (LoginSession login = guard.open(ANN)) {
            hash(login, AttemptResult.FAILED).join();
            hash(login, AttemptResult.SUCCEEDED).join();
            assertThat(settled(AttemptResult.SUCCEEDED)).isEqualTo(1);
        }
        assertThat(settled(AttemptResult.FAILED)).isZero();
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void closingWhileAHashRuns_waitsForWhatItTurnsOutToBe() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        LoginSession login = guard.open(ANN);
        CompletableFuture<AttemptResult> running = login.submit(
                0,
                () -> {
                    begun.countDown();
                    letGo.await();
                    return AttemptResult.FAILED;
                },
                Function.identity());
        begun.await();
        login.close();
        assertThat(limits.stats().contended()).isPositive();
        letGo.countDown();
        running.join();
        assertThat(settled(AttemptResult.FAILED)).isEqualTo(1);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void loginWithoutAHash_reservesNothing() {
        guard.open(ANN).close();
        assertThat(limits.stats().admitted()).isZero();
    }

    @Test
    void loginThatTheLimitsRefuse_costsNoHash() {
        for (int i = 0; i < 2; i++) {
            try (LoginSession login = guard.open(ANN)) {
                hash(login, AttemptResult.FAILED).join();
            }
        }
        try (LoginSession login = guard.open(ANN)) {
            CompletableFuture<AttemptResult> refused = hash(login, AttemptResult.SUCCEEDED);
            assertThat(refused.handle((value, failure) -> Stages.cause(failure)).join())
                    .isInstanceOfSatisfying(
                            AuthUnavailableException.class,
                            e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.THROTTLED));
        }
        assertThat(pool.stats().completed()).isEqualTo(2);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void cancelledHash_leavesNothingReserved() {
        CountDownLatch letGo = new CountDownLatch(1);
        CompletableFuture<Object> blocking = pool.submit(HashDemand.ofProcessor(), () -> {
            letGo.await();
            return "done";
        });
        LoginSession login = guard.open(ANN);
        CompletableFuture<AttemptResult> waiting = hash(login, AttemptResult.SUCCEEDED);
        waiting.cancel(false);
        login.close();
        assertThat(limits.stats().contended()).isZero();
        assertThat(settled(AttemptResult.NOT_ATTEMPTED)).isEqualTo(1);
        letGo.countDown();
        blocking.join();
    }
}
