package dev.latchkey.auth.spring.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.spring.OneAnswer;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.testsupport.Until;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The end of the refreshing, in the middle of a reading, and a copy without room. */
@ExtendWith(OutputCaptureExtension.class)
class RevocationRefreshTest {

    @Test
    void reading_thatTheStopInterrupts_isNoOutage(CapturedOutput log) throws Exception {
        SlowStore store = new SlowStore();
        RevocationRefresh refresh = new RevocationRefresh(
                LocalRevocations.of(store, LocalRevocationSettings.defaults()),
                Duration.ofMillis(1),
                () -> {},
                OutageLog.ofStores(InstantSource.system()));
        refresh.start();
        Thread reader = store.reader.get(10, TimeUnit.SECONDS);
        refresh.stop();
        reader.join();
        assertThat(log).doesNotContain("does not answer");
    }

    @Test
    void copyAboveItsMaximum_isOneWarning(CapturedOutput log) {
        FullStore store = new FullStore();
        RevocationRefresh refresh = new RevocationRefresh(
                LocalRevocations.of(store, LocalRevocationSettings.defaults().withMaximumSize(1)),
                Duration.ofMillis(1),
                () -> {},
                OutageLog.ofStores(InstantSource.system()));
        refresh.start();
        Until.until(() -> store.readings.get() > 3);
        refresh.stop();
        assertThat(log.getOut().split("latchkey.revocation.maximum-size=1,", -1))
                .as("one warning")
                .hasSize(2);
    }

    /** Two revocations of other nodes. */
    private static final class FullStore extends OneAnswer {

        private final AtomicInteger readings = new AtomicInteger();

        @Override
        public List<Recorded> recordedAfter(long position, int most) {
            readings.incrementAndGet();
            return List.of(
                    new Recorded(1, recordToken("t1", Instant.MAX)), new Recorded(2, recordToken("t2", Instant.MAX)));
        }
    }

    /** Answers the reading at the start. Each later reading waits for an interrupt. */
    private static final class SlowStore extends OneAnswer {

        private final Thread starter = Thread.currentThread();
        private final CompletableFuture<Thread> reader = new CompletableFuture<>();

        @Override
        public List<Recorded> recordedAfter(long position, int most) {
            if (Thread.currentThread().equals(starter)) {
                return List.of();
            }
            reader.complete(Thread.currentThread());
            try {
                new CountDownLatch(1).await();
                return List.of();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw AuthUnavailableException.outage("The thread was interrupted");
            }
        }
    }
}
