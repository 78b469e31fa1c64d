package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.testsupport.LogLines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The machine's own time, as {@link GuardTime#start} gives it. */
@Timeout(120)
class TimerThreadTest {

    private static final Duration SOON = Duration.ofMillis(20);

    private final GuardTime time = GuardTime.start();
    private final AtomicBoolean ran = new AtomicBoolean();

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void action_runsOnTheTimersDaemonThread_andNotBeforeItsTime() {
        long before = System.nanoTime();
        CompletableFuture<Long> at = new CompletableFuture<>();
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        time.after(SOON, () -> {
            thread.complete(Thread.currentThread());
            at.complete(time.nanoTime());
        });
        assertThat(at.join() - before).isBetween(SOON.toNanos(), System.nanoTime() - before);
        assertThat(thread.join().getName()).isEqualTo("latchkey-guard-timer");
        assertThat(thread.join().isDaemon()).isTrue();
    }

    @Test
    void actionThatFails_isLogged_andTheNextRunsAllTheSame() {
        CompletableFuture<String> next = new CompletableFuture<>();
        try (LogLines log = LogLines.of(TimerThread.class)) {
            time.after(Duration.ZERO, () -> {
                throw new IllegalStateException("It fails");
            });
            time.after(Duration.ZERO, () -> {
                throw new StackOverflowError("It fails");
            });
            time.after(SOON, () -> next.complete("next"));
            assertThat(next.join()).isEqualTo("next");
            assertThat(log.all())
                    .containsExactly(
                            "WARNING: A wake-up of the guard failed", "WARNING: A wake-up of the guard failed");
        }
    }

    @Test
    void actionThatIsCalledOff_doesNotRun() {
        CountDownLatch calledOff = new CountDownLatch(1);
        CompletableFuture<String> later = new CompletableFuture<>();
        time.after(Duration.ZERO, () -> await(calledOff));
        WakeUp wakeUp = time.after(Duration.ZERO, () -> ran.set(true));
        wakeUp.cancel();
        calledOff.countDown();
        time.after(Duration.ZERO, () -> later.complete("later"));
        assertThat(later.join()).isEqualTo("later");
        assertThat(ran).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void closedTimer_takesActionsAndRunsNone() {
        time.close();
        WakeUp wakeUp = time.after(Duration.ZERO, () -> ran.set(true));
        wakeUp.cancel();
        assertThat(ran).isFalse();
    }
}
