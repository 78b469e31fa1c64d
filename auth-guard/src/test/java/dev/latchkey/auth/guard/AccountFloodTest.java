package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Many logins of one account at once, with the default settings, on one thread, whose hashes take as long as the test says:
 * each moves the clock, and with it every deadline, by itself.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a test may ask and not care for the answer
class AccountFloodTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();
    private static final Duration USUAL = Duration.ofMillis(100);

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final HashingPool pool =
            HashingPool.start(HashingPoolSettings.defaults().withThreads(1), time);
    private final LoginGuard guard = new LoginGuard(limits, pool);
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void close() {
        letGo.countDown();
        pool.close();
    }

    private static ClientSource source(int n) {
        return ClientSource.of("10.0." + n / 256 + "." + n % 256).orElseThrow();
    }

    private CompletableFuture<AttemptResult> login(
            String account, ClientSource source, Duration hash, AttemptResult result) {
        return guard.submit(
                new LoginAttempt(account, source),
                0,
                () -> {
                    letGo.await();
                    time.advance(hash);
                    return result;
                },
                Function.identity());
    }

    private List<CompletableFuture<AttemptResult>> inParallel(
            int logins, IntFunction<ClientSource> from, Duration hash, AttemptResult result) {
        List<CompletableFuture<AttemptResult>> all = new ArrayList<>();
        for (int i = 0; i < logins; i++) {
            all.add(login("ann", from.apply(i), hash, result));
        }
        return all;
    }

    private void assertNoneRefused(int logins, IntFunction<ClientSource> from, Duration hash) {
        List<CompletableFuture<AttemptResult>> all = inParallel(logins, from, hash, AttemptResult.SUCCEEDED);
        letGo.countDown();
        assertThat(all).allSatisfy(each -> assertThat(each.get()).isEqualTo(AttemptResult.SUCCEEDED));
        assertThat(time.wakeUps()).isZero();
    }

    /** Up to as long as a login waits, 20 seconds: no deadline of the pool, 500 ms, may come before that. */
    @ParameterizedTest
    @CsvSource({"200, 100", "200, 60", "100, 200", "40, 490", "10, 2000"})
    void g2_parallelCorrectLoginsOfOneAccount_areNotRefused_howeverLongAHashTakes(int logins, int millis) {
        assertNoneRefused(logins, i -> HOME, Duration.ofMillis(millis));
    }

    @Test
    void g2_parallelCorrectLoginsFromAsManySources_areNotRefused_whetherTheirSourcesAreNewOrKnown() {
        assertNoneRefused(200, AccountFloodTest::source, USUAL);
        assertThat(limits.familiarity(source(199))).isEqualTo(HashDemand.Familiarity.KNOWN);
        assertNoneRefused(200, AccountFloodTest::source, USUAL);
    }
}
