package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Simultaneous guesses at an exhausted limit: each is refused by the limit, and takes no place from logins that wait
 * for a hash.
 */
class ParallelRefusalsTest {

    private static final int AT_ONCE = 64;

    @Test
    void parallelGuessesAtAnExhaustedPair_areRefusedByTheLimit_whileAllPlacesAreTaken() throws Exception {
        try (GuardTime time = GuardTime.start()) {
            WaitingThreads waiting = WaitingThreads.atMost(1);
            LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
            LoginLimitGate logins = new LoginLimitGate(
                    limits, waiting, () -> ClientSource.of("192.0.2.1").orElseThrow());
            for (int i = 0; i < 5; i++) {
                String guess = "guess" + i;
                logins.end(logins.begin("ann", guess), AttemptResult.FAILED, guess);
            }
            assertThat(waiting.enter()).isTrue();
            assertThat(refusals(logins)).containsOnly(Kind.THROTTLED);
        }
    }

    private static List<Kind> refusals(LoginLimitGate logins) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            CyclicBarrier together = new CyclicBarrier(AT_ONCE);
            List<Future<Kind>> refusals = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                refusals.add(threads.submit(() -> {
                    together.await();
                    return catchThrowableOfType(AuthUnavailableException.class, () -> logins.begin("ann", "another"))
                            .kind();
                }));
            }
            List<Kind> all = new ArrayList<>();
            for (Future<Kind> refusal : refusals) {
                all.add(refusal.get());
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void threadThatWaitsLonger_needsAPlace() {
        WaitingThreads waiting = WaitingThreads.atMost(1);
        assertThat(waiting.enter()).isTrue();
        assertThatThrownBy(() -> waiting.await(new java.util.concurrent.CompletableFuture<>()))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(Kind.OVERLOAD));
    }
}
