package dev.latchkey.throttle.spring;

import static dev.latchkey.throttle.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServersStreamTest {

    private static final byte[] BYTES = new byte[10];

    private final Out out = new Out();
    private final ServersStream stream = new ServersStream(out);

    @Test
    void afterAFailedWrite_theServersStreamIsUsedNoMore() {
        out.broken = true;
        assertThat(stream.enter()).isTrue();
        assertThatIOException().isThrownBy(() -> stream.write(BYTES, 0, 10)).withMessage("Broken pipe");
        assertThatIOException()
                .isThrownBy(() -> stream.write(BYTES, 0, 10))
                .isInstanceOf(BodyThrottle.CutOffException.class);
        assertThatIOException().isThrownBy(stream::flush).isInstanceOf(BodyThrottle.CutOffException.class);
        stream.leave();
        assertThat(stream.enter()).isFalse();
        assertThat(out.uses).isOne();
    }

    @Test
    void afterAFailedFlush_theServersStreamIsUsedNoMore() {
        out.broken = true;
        assertThatIOException().isThrownBy(stream::flush).withMessage("Broken pipe");
        assertThat(stream.enter()).isFalse();
        assertThat(out.uses).isOne();
    }

    /** The listeners of filters may write at the end. */
    @Test
    void afterTheEnd_onlyTheServersThreadWrites() throws Exception {
        stream.end();
        stream.write(BYTES, 0, 10);
        assertThat(stream.enter()).isTrue();
        stream.leave();
        assertThat(CompletableFuture.supplyAsync(stream::enter).get(10, TimeUnit.SECONDS))
                .isFalse();
        assertThat(out.uses).isOne();
    }

    /** Tomcat holds a lock at the end, and the writing thread may need this lock. */
    @Test
    void end_waitsForNoThreadThatWrites_andKeepsTheThreadFromWritingMore() throws Exception {
        CountDownLatch waitsForThrottle = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        CompletableFuture<Void> late = CompletableFuture.runAsync(() -> {
            assertThat(stream.enter()).isTrue();
            waitsForThrottle.countDown();
            await(goesOn);
            assertThatIOException().isThrownBy(() -> stream.write(BYTES, 0, 10));
            stream.leave();
        });
        await(waitsForThrottle);
        stream.end();
        assertThat(stream.isBusy()).isTrue();
        assertThat(stream.enter()).isFalse();
        goesOn.countDown();
        late.get(10, TimeUnit.SECONDS);
        assertThat(stream.isBusy()).isFalse();
        assertThat(out.uses).isZero();
    }

    @Test
    void otherThread_waitsForTheThreadThatWrites() throws Exception {
        stream.enter();
        CompletableFuture<Thread> begun = new CompletableFuture<>();
        CompletableFuture<Void> server = CompletableFuture.runAsync(() -> {
            begun.complete(Thread.currentThread());
            stream.awaitLeave();
        });
        Thread waiting = begun.get(10, TimeUnit.SECONDS);
        until(() -> waiting.getState() == Thread.State.WAITING);
        assertThat(server).isNotDone();
        stream.leave();
        server.get(10, TimeUnit.SECONDS);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Out extends ServletOutputStream {

        private int uses;
        private boolean broken;

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}

        @Override
        public void write(int b) {}

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            use();
        }

        @Override
        public void flush() throws IOException {
            use();
        }

        private void use() throws IOException {
            uses++;
            if (broken) {
                throw new IOException("Broken pipe");
            }
        }
    }
}
