package dev.latchkey.throttle.spring;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/**
 * The stream of a response, also for filters that take the stream before the throttle of the body is known.
 *
 * <p>Like any stream, for a single thread at a time.
 */
final class LateThrottledStream extends ServletOutputStream {

    private ServletOutputStream current;
    private boolean closed;

    LateThrottledStream(ServletOutputStream container) {
        this.current = container;
    }

    void limit(ThrottledOutput throttled) {
        current = throttled;
    }

    /** Further bytes are dropped, as by a server after a forward. */
    void end() {
        closed = true;
    }

    /** The page of an error follows. */
    void reopen() {
        closed = false;
    }

    @Override
    public void write(int b) throws IOException {
        if (!closed) {
            current.write(b);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (!closed) {
            current.write(bytes, offset, length);
        }
    }

    @Override
    public void flush() throws IOException {
        current.flush();
    }

    @Override
    public void close() throws IOException {
        current.close();
        closed = true;
    }

    @Override
    public boolean isReady() {
        return current.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        current.setWriteListener(listener);
    }
}
