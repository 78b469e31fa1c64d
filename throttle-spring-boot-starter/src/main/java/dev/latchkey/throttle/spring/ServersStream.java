package dev.latchkey.throttle.spring;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The server's stream, for the body of one request. A server reuses its streams, so the bytes of a late thread would be in
 * the response of another client. Therefore this class refuses all bytes after a failed write. After the end of the
 * request, only the thread of {@link #end} may write.
 *
 * <p>For one thread at a time, from {@link #enter} to {@link #leave}. After a failed write, Tomcat ends the request with
 * another thread, while the writing thread is still in Tomcat's code. {@link #awaitLeave} holds the other thread back.
 */
final class ServersStream {

    private final ServletOutputStream out;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean failed;

    /** The server's thread at the end of the request. Filters may write in this thread until the stream is reused. */
    @Nullable
    private volatile Thread last;

    ServersStream(ServletOutputStream out) {
        this.out = out;
    }

    /**
     * Begins the work of this thread. A thread may wait for the throttle meanwhile, and may enter again.
     *
     * @return false if the stream takes no more bytes; the thread has not entered
     */
    boolean enter() {
        if (last == null) {
            lock.lock();
        } else if (!lock.tryLock()) {
            // At the end, the server's thread holds locks that a writing thread may need. So this thread must not wait.
            return false;
        }
        if (isOpen()) {
            return true;
        }
        lock.unlock();
        return false;
    }

    void leave() {
        lock.unlock();
    }

    /** Waits until no other thread is at work. */
    void awaitLeave() {
        lock.lock();
        try {
            // The other thread has left.
        } finally {
            lock.unlock();
        }
    }

    /** Whether a write has failed, for example because the client has left. */
    boolean hasFailed() {
        return failed;
    }

    /** Whether another thread is at work. */
    boolean isBusy() {
        return lock.isLocked() && !lock.isHeldByCurrentThread();
    }

    /** The request has ended: from now on, only the calling thread may write. Waits for nothing. */
    void end() {
        last = Thread.currentThread();
    }

    private boolean isOpen() {
        return !failed && (last == null || Thread.currentThread().equals(last));
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        requireOpen();
        boolean done = false;
        try {
            out.write(bytes, offset, length);
            done = true;
        } finally {
            failed |= !done;
        }
    }

    void flush() throws IOException {
        requireOpen();
        boolean done = false;
        try {
            out.flush();
            done = true;
        } finally {
            failed |= !done;
        }
    }

    private void requireOpen() throws BodyThrottle.CutOffException {
        if (!isOpen()) {
            throw new BodyThrottle.CutOffException();
        }
    }

    /** Whether the server takes bytes without blocking. */
    boolean isReady() {
        return out.isReady();
    }

    /** @throws UnsupportedOperationException if the response is Spring's mock */
    void setWriteListener(WriteListener listener) {
        out.setWriteListener(listener);
    }
}
