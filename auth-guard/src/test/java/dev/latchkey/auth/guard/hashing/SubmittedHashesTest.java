package dev.latchkey.auth.guard.hashing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.internal.Futures;
import dev.latchkey.testsupport.LogLines;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hashes with permits that no thread waits for. The test is the executor, and runs the hashes at chosen moments. */
@SuppressWarnings("FutureReturnValueIgnored") // a test may submit and not care for the answer
class SubmittedHashesTest {

    private final ManualTime time = new ManualTime();
    private final WaitingThreads waiting = WaitingThreads.atMost(1);
    private final HashingPermits one = new HashingPermits(
            HashingSettings.defaults()
                    .withAtOnce(1)
                    .withMaxWait(Duration.ofMillis(500))
                    .withFirstEstimate(Duration.ofMillis(100)),
            waiting,
            time,
            GuardListener.NONE);
    private final Queue<Runnable> handedOver = new ArrayDeque<>();
    private final AtomicInteger hashed = new AtomicInteger();

    @AfterEach
    void close() {
        run();
        assertThat(one.stats().running()).as("permits that nobody gave back").isZero();
        assertThat(one.stats().waiting()).isZero();
        assertThat(time.wakeUps()).isZero();
    }

    private CompletableFuture<Integer> submit() {
        return one.submit(0, false, hashed::incrementAndGet, handedOver::add);
    }

    /** Does all that the executor was given, and is given meanwhile. */
    private void run() {
        for (Runnable next = handedOver.poll(); next != null; next = handedOver.poll()) {
            next.run();
        }
    }

    private static Throwable failure(CompletableFuture<?> answer) {
        assertThat(answer).isCompletedExceptionally();
        return Futures.cause(catchThrowable(answer::join));
    }

    private static Kind kind(CompletableFuture<?> answer) {
        return ((AuthUnavailableException) failure(answer)).kind();
    }

    @Test
    void executorGetsOnlyHashesWithAPermit_inOrder_andNoThreadWaits() {
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(submit());
        }
        assertThat(handedOver).hasSize(1);
        assertThat(waiting.waiting()).isZero();
        for (int i = 0; i < 5; i++) {
            assertThat(answers.get(i)).isNotDone();
            handedOver.remove().run();
            assertThat(answers.get(i)).isCompletedWithValue(i + 1);
        }
    }

    @Test
    void hashWithoutTime_isRefusedAtOnce() {
        for (int i = 0; i < 5; i++) {
            submit();
        }
        assertThat(kind(submit())).isEqualTo(Kind.OVERLOAD);
    }

    @Test
    void hashAfterTooLongAWait_isRefused_andNotHandedOver() {
        submit();
        CompletableFuture<Integer> second = submit();
        time.advance(Duration.ofMillis(500));
        assertThat(kind(second)).isEqualTo(Kind.OVERLOAD);
        run();
        assertThat(hashed).hasValue(1);
    }

    @Test
    void cancelledWhileItWaits_leavesTheQueue() {
        submit();
        submit().cancel(false);
        assertThat(one.stats().waiting()).isZero();
        run();
        assertThat(hashed).hasValue(1);
        assertThat(one.stats().abandoned()).isEqualTo(1);
    }

    @Test
    void cancelledBeforeTheExecutorBeginsIt_givesItsPermitToTheNext_onceOnly() {
        submit().cancel(false);
        assertThat(one.stats().running()).isZero();
        CompletableFuture<Integer> second = submit();
        submit();
        assertThat(handedOver).hasSize(2);
        handedOver.remove().run();
        assertThat(hashed).hasValue(0);
        assertThat(one.stats().running()).isEqualTo(1);
        assertThat(handedOver).hasSize(1);
        handedOver.remove().run();
        assertThat(second).isCompletedWithValue(1);
    }

    @Test
    void hashCancelledWhileComputed_keepsItsPermitUntilTheEnd() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> answer = one.submit(
                0,
                false,
                () -> {
                    first.cancel(false);
                    assertThat(one.stats().running()).isEqualTo(1);
                    submit();
                    assertThat(handedOver)
                            .as("it computed at once, within this one")
                            .isEmpty();
                    return "nobody reads it";
                },
                handedOver::add);
        Futures.onEnd(first, (value, cancelled) -> answer.cancel(false));
        run();
        assertThat(answer).isCancelled();
        assertThat(one.stats().completed()).isEqualTo(1);
        assertThat(one.stats().abandoned()).isZero();
    }

    @Test
    void answerThatAnybodyCompletes_asATimeoutDoes_takesItsHashOutOfTheQueue() {
        submit();
        CompletableFuture<Integer> second = submit();
        second.completeExceptionally(new TimeoutException());
        run();
        assertThat(hashed).hasValue(1);
        assertThat(one.stats().abandoned()).isEqualTo(1);
    }

    @Test
    void executorThatAcceptsNone_isAnOutage_andThePermitIsFree() {
        Executor closed = hash -> {
            throw new RejectedExecutionException("closed");
        };
        assertThat(kind(one.submit(0, false, () -> "never", closed))).isEqualTo(Kind.OUTAGE);
        assertThat(one.stats().running()).isZero();
    }

    @Test
    void executorThatFails_tellsSo_andThePermitIsFree() {
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        Executor failing = hash -> {
            throw noThread;
        };
        assertThat(failure(one.submit(0, false, () -> "never", failing))).isSameAs(noThread);
        assertThat(one.stats().running()).isZero();
    }

    @Test
    void executorFailureForAWaitingHash_letsTheNextBegin() {
        submit();
        CompletableFuture<String> second = one.submit(0, false, () -> "never", hash -> {
            throw new RejectedExecutionException("closed");
        });
        CompletableFuture<Integer> third = submit();
        run();
        assertThat(kind(second)).isEqualTo(Kind.OUTAGE);
        assertThat(third).isCompletedWithValue(2);
    }

    @Test
    void errorOfTheHash_isItsAnswer_andThePermitIsFree() {
        NoClassDefFoundError missing = new NoClassDefFoundError("some/Encoder");
        CompletableFuture<Object> answer = one.submit(
                0,
                false,
                () -> {
                    throw missing;
                },
                handedOver::add);
        run();
        assertThat(failure(answer)).isSameAs(missing);
        assertThat(one.stats().failed()).isEqualTo(1);
    }

    @Test
    void continuationOfAnAnswer_runsOutsideOfTheHash() {
        CompletableFuture<Integer> next = submit().thenCompose(first -> {
            assertThat(one.stats().running()).isZero();
            return submit();
        });
        handedOver.remove().run();
        assertThat(next).isNotDone();
        run();
        assertThat(next).isCompletedWithValue(2);
    }

    @Test
    void brokenListener_keepsNoHashFromAPermit() {
        HashingPermits permits = new HashingPermits(one.settings(), waiting, time, event -> {
            throw new NoClassDefFoundError("some/Meter");
        });
        CompletableFuture<Integer> first = permits.submit(1, false, hashed::incrementAndGet, handedOver::add);
        CompletableFuture<Integer> second = permits.submit(1, false, hashed::incrementAndGet, handedOver::add);
        try (LogLines log = LogLines.of(GuardEvents.class)) {
            run();
            assertThat(log.all()).hasSize(2);
        }
        assertThat(first).isCompletedWithValue(1);
        assertThat(second).isCompletedWithValue(2);
        assertThat(permits.stats().running()).isZero();
        assertThat(permits.stats().memoryInUse()).isZero();
    }
}
