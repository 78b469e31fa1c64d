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

    LateThrottledStream(ServletOutputStream container) {
        this.current = container;
    }

    void limit(ThrottledOutput throttled) {
        current = throttled;
    }

    @Override
    public void write(int b) throws IOException {
        current.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        current.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
        current.flush();
    }

    @Override
    public void close() throws IOException {
        current.close();
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
