package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.testsupport.Until;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One load for all waiting threads, and no copy after its end. */
@Timeout(60)
class PolicyCopyTest {

    private static final long BOUND = 1_000_000_000;
    private static final long START = 1L << 40;
    private static final Policy POLICY = Policy.builder().build();

    private final Store store = new Store();
    private volatile long nanos = START;
    private final PolicyCopy copy = new PolicyCopy(store, BOUND, () -> nanos);

    @Test
    void copy_isUsedUntilItsBound_andNotAtTheBound() {
        assertThat(copy.policy()).isSameAs(POLICY);
        store.answer = () -> {
            throw AuthUnavailableException.outage("down");
        };
        nanos = START + BOUND - 1;
        assertThat(copy.policy()).isSameAs(POLICY);
        nanos = START + BOUND;
        assertThatThrownBy(copy::policy).isInstanceOf(AuthUnavailableException.class);
    }

    @Test
    void waiter_getsThePolicyOfTheLoad() throws Exception {
        FutureTask<Policy> waiter = waiterOfALoadThatEnds(() -> POLICY);
        assertThat(waiter.get()).isSameAs(POLICY);
        assertThat(store.loads).hasValue(1);
    }

    @Test
    void waiter_getsTheFailureOfTheLoad() throws Exception {
        RuntimeException broken = new IllegalStateException("broken");
        FutureTask<Policy> waiter = waiterOfALoadThatEnds(() -> {
            throw broken;
        });
        assertThatThrownBy(waiter::get).hasCause(broken);
    }

    @Test
    void waiter_isToldOfAnError() throws Exception {
        Error broken = new LinkageError("broken");
        FutureTask<Policy> waiter = waiterOfALoadThatEnds(() -> {
            throw broken;
        });
        assertThatThrownBy(waiter::get).hasRootCause(broken).cause().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void interruptedWaiter_isAnOutage_andStaysInterrupted() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        Thread loader = loading(free, () -> POLICY);
        CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            Throwable failure = catchThrowable(copy::policy);
            isInterrupted.complete(failure instanceof AuthUnavailableException
                    && Thread.currentThread().isInterrupted());
        });
        waiter.setDaemon(true);
        waiter.start();
        Until.until(() -> waiter.getState() == Thread.State.WAITING);
        waiter.interrupt();
        assertThat(isInterrupted.get()).isTrue();
        free.countDown();
        loader.join();
    }

    /** The load from before the change ends last, and its policy does not replace the newer copy. */
    @Test
    void olderLoad_doesNotReplaceANewerCopy() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        Thread loader = loading(free, () -> POLICY);
        Policy newer = Policy.builder().grant("reader", "a", "r").build();
        store.answer = () -> newer;
        copy.forget();
        assertThat(copy.policy()).isSameAs(newer);
        free.countDown();
        loader.join();
        assertThat(copy.policy()).isSameAs(newer);
        assertThat(store.loads).as("without a third load").hasValue(2);
    }

    private FutureTask<Policy> waiterOfALoadThatEnds(Supplier<Policy> end) throws InterruptedException {
        CountDownLatch free = new CountDownLatch(1);
        Thread loader = loading(free, end);
        FutureTask<Policy> task = new FutureTask<>(copy::policy);
        Thread waiter = new Thread(task);
        waiter.setDaemon(true);
        waiter.start();
        Until.until(() -> waiter.getState() == Thread.State.WAITING);
        free.countDown();
        loader.join();
        return task;
    }

    /** A thread in the store's {@code load}, until the latch opens. */
    private Thread loading(CountDownLatch free, Supplier<Policy> end) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        store.answer = () -> {
            begun.countDown();
            await(free);
            return end.get();
        };
        Thread loader = new Thread(() -> {
            Throwable unused = catchThrowable(copy::policy);
        });
        loader.setDaemon(true);
        loader.start();
        begun.await();
        return loader;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Store implements PolicyStore {

        private final AtomicInteger loads = new AtomicInteger();
        private volatile Supplier<Policy> answer = () -> POLICY;

        @Override
        public Policy load() {
            loads.incrementAndGet();
            return answer.get();
        }

        @Override
        public Set<String> rolesOf(String subjectId) {
            return Set.of();
        }
    }
}
