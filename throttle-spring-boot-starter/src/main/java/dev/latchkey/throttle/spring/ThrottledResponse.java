package dev.latchkey.throttle.spring;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.WebUtils;

/**
 * A response that sends its body at the rate of a throttle. Without a throttle, the response is like any other response.
 *
 * <p>The service writes as usual. Bytes beyond the rate are kept, up to a limit, until the service has returned. Then
 * {@link ThrottledBody} sends the rest.
 */
final class ThrottledResponse extends OwnWriterResponse {

    private final HttpServletResponse response;
    private final ThrottledBody body;

    @Nullable
    private BodyThrottle throttle;

    @Nullable
    private LateStream stream;

    private boolean ended;

    ThrottledResponse(HttpServletRequest request, HttpServletResponse response, PendingPieces.Memory memory) {
        super(response);
        this.response = response;
        this.body = new ThrottledBody(request, response, memory, this);
    }

    /** The body of this response. */
    ThrottledBody body() {
        return body;
    }

    /** From now on the body passes this throttle. Only the first call has an effect. */
    void limit(BodyThrottle throttle) throws IOException {
        if (this.throttle != null) {
            return;
        }
        this.throttle = throttle;
        if (stream != null) {
            stream.limit(body.begin(throttle));
        }
    }

    @Override
    ServletOutputStream stream() throws IOException {
        if (stream == null) {
            stream = new LateStream(response.getOutputStream());
            if (throttle != null) {
                stream.limit(body.begin(throttle));
            }
            if (ended) {
                stream.end();
            }
        }
        return stream;
    }

    @Override
    public void flushBuffer() throws IOException {
        drain();
        if (!body.flush()) {
            super.flushBuffer();
        }
    }

    @Override
    public void reset() {
        super.reset();
        beginAnew();
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        forget();
    }

    /** Drops earlier bytes, because some containers write the error page at once, possibly to this response. */
    private void beforeAnswer() {
        if (!response.isCommitted()) {
            beginAnew();
        }
    }

    /** A forward or an error page begins. Unsent bytes are dropped. */
    void beginWithin() {
        beginAnew();
        ended = false;
        if (stream != null) {
            stream.reopen();
        }
    }

    /** As in a container, further bytes are dropped. */
    void end() {
        ended = true;
        if (stream != null) {
            stream.end();
        }
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        beforeAnswer();
        super.sendError(status, message);
        end();
    }

    @Override
    public void sendError(int status) throws IOException {
        beforeAnswer();
        super.sendError(status);
        end();
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        beforeAnswer();
        super.sendRedirect(location);
        end();
    }

    @Override
    void forget() {
        super.forget();
        body.forget();
    }

    /** The container's response, without its throttle. */
    static HttpServletResponse unwrap(HttpServletResponse response) {
        ThrottledResponse throttled = WebUtils.getNativeResponse(response, ThrottledResponse.class);
        return throttled == null ? response : throttled.response;
    }

    /**
     * The stream of a response, also for filters that take the stream before the throttle of the body is known.
     *
     * <p>Like any stream, for a single thread at a time.
     */
    private static final class LateStream extends ServletOutputStream {

        private ServletOutputStream current;
        private boolean closed;

        LateStream(ServletOutputStream container) {
            this.current = container;
        }

        void limit(ThrottledOutput throttled) {
            current = throttled;
        }

        /** Further bytes are dropped, as by a server after a forward. */
        void end() {
            closed = true;
        }

        /** A forward or an error page follows. */
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
}
