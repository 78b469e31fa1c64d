package dev.latchkey.auth.guard.hashing;

import static dev.latchkey.auth.guard.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashThreads.Hash;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rights of virtual threads, with fake carriers. {@link OneCarrierTest} has real virtual threads. */
@Timeout(60)
class CarriersTest {

    private final ManualTime time = new ManualTime();

    private static boolean isNamedSo(Thread thread) {
        return thread.getName().startsWith("virtual");
    }

    private static void onAnother(Runnable work) {
        new Thread(work, "platform").start();
    }

    private HashingPermits four(Carriers carriers) {
        return within(Duration.ofSeconds(1), carriers);
    }

    private HashingPermits within(Duration maxWait, Carriers carriers) {
        return new HashingPermits(
                HashingSettings.defaults().withAtOnce(4).withMaxWait(maxWait).withFirstEstimate(Duration.ofMillis(100)),
                WaitingThreads.atMost(10),
                time,
                GuardListener.NONE,
                carriers);
    }

    @Test
    void virtualThreads_leaveACarrierToOthers_andPlatformThreadsUseTheRest() {
        HashingPermits permits = four(new Carriers(3, CarriersTest::isNamedSo, CarriersTest::onAnother));
        try (HashThreads threads = new HashThreads(permits)) {
            Hash first = threads.computing("virtual 1", 0);
            threads.computing("virtual 2", 0);
            Hash third = threads.waiting("virtual 3", 0);
            threads.computing("platform 1", 0);
            threads.computing("platform 2", 0);
            assertThat(third.hasBegun()).isFalse();
            first.end();
            third.begun();
        }
        assertThat(permits.stats().running()).isZero();
    }

    /** Two hashes of virtual threads at a time are done in a tenth of a second, and four of platform threads. */
    @Test
    void virtualThreadWithoutATimelyCarrier_isRefused_andAPlatformThreadIsNot() {
        HashingPermits permits =
                within(Duration.ofMillis(100), new Carriers(3, CarriersTest::isNamedSo, CarriersTest::onAnother));
        try (HashThreads threads = new HashThreads(permits)) {
            threads.computing("virtual 1", 0);
            threads.computing("virtual 2", 0);
            assertThat(threads.ask("virtual 3", 0, permits::call).refusal()).isNotNull();
            threads.computing("platform", 0);
        }
        assertThat(permits.stats().refusedFull()).isEqualTo(1);
    }

    @Test
    void virtualThreadOnTheOneCarrier_hasAPlatformThreadComputeForIt() throws Exception {
        HashingPermits permits = four(new Carriers(1, thread -> true, CarriersTest::onAnother));
        Thread computing = permits.call(0, () -> {
            assertThat(permits.stats().running()).isEqualTo(1);
            assertThat(permits.<Thread>call(0, Thread::currentThread))
                    .as("a hash within it begins at once")
                    .isNotNull();
            return Thread.currentThread();
        });
        assertThat(computing.getName()).isEqualTo("platform");
        assertThat(permits.stats().completed()).isEqualTo(1);
        assertThat(permits.stats().running()).isZero();
    }

    @Test
    void platformThread_computesItself_evenWithOneCarrier() throws Exception {
        HashingPermits permits = four(new Carriers(1, CarriersTest::isNamedSo, CarriersTest::onAnother));
        assertThat(permits.<Thread>call(0, Thread::currentThread)).isSameAs(Thread.currentThread());
    }

    @Test
    void exceptionsAndErrors_comeOutUnchangedFromAnotherThread() {
        HashingPermits permits = four(new Carriers(1, thread -> true, CarriersTest::onAnother));
        IOException checked = new IOException("checked");
        NoClassDefFoundError error = new NoClassDefFoundError("missing");
        assertThatThrownBy(() -> permits.call(0, () -> {
                    throw checked;
                }))
                .isSameAs(checked);
        assertThatThrownBy(() -> permits.call(0, () -> {
                    throw error;
                }))
                .isSameAs(error);
        assertThat(permits.stats().failed()).isEqualTo(2);
        assertThat(permits.stats().running()).isZero();
    }

    @Test
    void noThreadToComputeFor_isNoPermitLost() {
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        HashingPermits permits = four(new Carriers(1, thread -> true, work -> {
            throw noThread;
        }));
        assertThatThrownBy(() -> permits.call(0, () -> "never")).isSameAs(noThread);
        assertThat(permits.stats().running()).isZero();
        assertThat(permits.stats().abandoned()).isEqualTo(1);
    }

    @Test
    void interruptionWhileAnotherThreadComputes_endsNoHash_andIsKept() throws Exception {
        HashingPermits permits = four(new Carriers(1, CarriersTest::isNamedSo, CarriersTest::onAnother));
        try (HashThreads threads = new HashThreads(permits)) {
            CountDownLatch seen = new CountDownLatch(1);
            Hash hash = threads.ask("virtual", 0, (memory, work) -> {
                String answer = permits.call(memory, work);
                if (Thread.currentThread().isInterrupted()) {
                    seen.countDown();
                }
                return answer;
            });
            hash.begun();
            until(() -> hash.thread.getState() == Thread.State.WAITING);
            hash.thread.interrupt();
            until(() -> !hash.thread.isInterrupted());
            assertThat(permits.stats().running()).isEqualTo(1);
            assertThat(hash.answer).isNotDone();
            hash.end();
            assertThat(hash.answer).isCompletedWithValue("virtual");
            seen.await();
        }
    }

    @Test
    void threadThatComputesOnDemand_isADaemon_andInheritsNothing() throws Exception {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        tenant.set("of this request");
        Carriers one = new Carriers(1, thread -> true, Carriers.ofThisProcess().platform());
        List<Object> found = one.compute(() -> {
            Thread thread = Thread.currentThread();
            return List.of(thread.getName(), thread.isDaemon(), tenant.get() == null);
        });
        assertThat(found).containsExactly("latchkey-hash", true, true);
    }

    @Test
    void thisProcess_hasACarrierForEachProcessor_andItsPlatformThreadsNeedNone() {
        Carriers here = Carriers.ofThisProcess();
        assertThat(here.number()).isPositive();
        assertThat(here.isVirtual().test(Thread.currentThread())).isFalse();
    }
}
