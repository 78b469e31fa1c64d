package dev.latchkey.auth.guard.login;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A login of a reactive service moves between threads: here, each step has a new thread. */
class LoginThreadsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final String HASH = Attempts.Account.ANN.hash();

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final Attempts attempts = new Attempts(limits);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Keeps each thread busy until the test ends, so no step reuses a thread. */
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void endThreads() {
        end.countDown();
        threads.shutdownNow();
    }

    private <T> T onItsOwnThread(Supplier<T> step) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                result.complete(step.get());
                end.await();
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return result.get(30, TimeUnit.SECONDS);
    }

    private void step(Runnable step) throws Exception {
        onItsOwnThread(() -> {
            step.run();
            return true;
        });
    }

    private Reservation reserve(String name) throws Exception {
        return onItsOwnThread(() -> attempts.reserve(name, HOME, null).join().orThrow());
    }

    private boolean isFound(Reservation login) throws Exception {
        return onItsOwnThread(() -> login.found(HASH).join() instanceof Admission.Admitted);
    }

    @Test
    void loginThatIsFoundAndSettled() throws Exception {
        Reservation login = reserve("ann");
        assertThat(isFound(login)).isTrue();
        assertThat(isFound(login)).isTrue();
        step(() -> login.settle(AttemptResult.FAILED, "wrong"));
        step(() -> login.settle(AttemptResult.SUCCEEDED, null));
        assertThat(isFound(login)).isTrue();
        assertThat(limits.stats().contended()).isZero();
        assertThat(attempts.guesses(10, "ann", HOME)).isEqualTo(4);
    }

    @Test
    void loginThatIsRefusedWhenItsAccountIsFound() throws Exception {
        attempts.guesses(5, "ann", HOME);
        Reservation login = reserve("other");
        assertThat(isFound(login)).isFalse();
        step(() -> login.settle(AttemptResult.NOT_ATTEMPTED, null));
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void loginOfTwoSteps() throws Exception {
        Reservation login = reserve("ann");
        assertThat(isFound(login)).isTrue();
        Reservation asked = onItsOwnThread(() -> login.challenged().join().orThrow());
        Consumer<Boolean> answered = onItsOwnThread(asked::settleChallenged);
        step(() -> answered.accept(true));
        step(() -> answered.accept(false));
        assertThat(limits.reserveKnown("ann", HOME)).isNotNull();
    }

    @Test
    void loginThatAStepIsAddedTo() throws Exception {
        Reservation login = reserve("ann");
        assertThat(isFound(login)).isTrue();
        step(() -> login.settle(AttemptResult.SUCCEEDED, null));
        step(login::stepAdded);
        step(login::stepAdded);
        assertThat(limits.reserveKnown("ann", HOME)).isNotNull();
    }

    @Test
    void loginsOfAKnownPair() throws Exception {
        attempts.admits("ann", HOME, "right");
        Reservation fails = onItsOwnThread(() -> requireNonNull(limits.reserveKnown("ann", HOME)));
        Reservation another = onItsOwnThread(() -> requireNonNull(limits.reserveKnown("ann", HOME)));
        Reservation isAsked = onItsOwnThread(() -> requireNonNull(limits.reserveKnown("ann", HOME)));
        step(() -> fails.settle(AttemptResult.FAILED, "wrong"));
        assertThat(onItsOwnThread(() -> another.found("{bcrypt}$2a$10$.a.salt.and.hash.of.another")
                        .join()))
                .isInstanceOf(Admission.Admitted.class);
        step(() -> another.settle(AttemptResult.SUCCEEDED, null));
        Reservation asked = onItsOwnThread(() -> isAsked.challenged().join().orThrow());
        Consumer<Boolean> answered = onItsOwnThread(asked::settleChallenged);
        step(() -> answered.accept(false));
        assertThat(limits.stats().contended()).isZero();
        assertThat(limits.stats().settled())
                .containsEntry(AttemptResult.SUCCEEDED, 2L)
                .containsEntry(AttemptResult.FAILED, 2L)
                .containsEntry(AttemptResult.CHALLENGED, 1L);
    }
}
