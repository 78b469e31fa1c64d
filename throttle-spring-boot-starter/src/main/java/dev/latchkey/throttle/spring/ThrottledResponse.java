package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.util.WebUtils;

/**
 * A response with its body at the rate of a throttle. Without a throttle, a response as any other.
 *
 * <p>The service writes as usual. Bytes beyond the rate are kept, up to a limit, until the service has returned. Then
 * the thread becomes free, and {@link AsyncBodyWriter} sends the rest without a thread.
 */
final class ThrottledResponse extends HttpServletResponseWrapper {

    private static final Logger LOG = LoggerFactory.getLogger(ThrottledResponse.class);
    private static final String CONTENT_TYPE = "Content-Type";
    private static final Pattern CHARSET = Pattern.compile(";\\s*charset=[^;]*", Pattern.CASE_INSENSITIVE);

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final PendingPieces.Memory memory;

    @Nullable
    private BodyThrottle throttle;

    @Nullable
    private ThrottledOutput output;

    @Nullable
    private LateThrottledStream stream;

    @Nullable
    private ThrottledWriter text;

    @Nullable
    private PrintWriter writer;

    private boolean writerAsked;
    private boolean streamAsked;

    ThrottledResponse(HttpServletRequest request, HttpServletResponse response, PendingPieces.Memory memory) {
        super(response);
        this.request = request;
        this.response = response;
        this.memory = memory;
    }

    /** From now on the body passes this throttle. Only the first call has an effect. */
    void limit(BodyThrottle throttle) throws IOException {
        if (this.throttle != null) {
            return;
        }
        this.throttle = throttle;
        if (stream != null) {
            stream.limit(throttled(throttle));
        }
    }

    private ThrottledOutput throttled(BodyThrottle throttle) throws IOException {
        if (output == null) {
            output = new ThrottledOutput(
                    response.getOutputStream(), throttle, request::isAsyncStarted, response::getBufferSize, memory);
        }
        return output;
    }

    private LateThrottledStream stream() throws IOException {
        if (stream == null) {
            stream = new LateThrottledStream(response.getOutputStream());
            if (throttle != null) {
                stream.limit(throttled(throttle));
            }
        }
        return stream;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (writerAsked) {
            throw new IllegalStateException("getWriter() was called for this response");
        }
        streamAsked = true;
        return stream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (streamAsked) {
            throw new IllegalStateException("getOutputStream() was called for this response");
        }
        // Like the container's own writer, so the client learns the encoding.
        super.setCharacterEncoding(getCharacterEncoding());
        writerAsked = true;
        if (writer == null) {
            text = new ThrottledWriter(stream(), this::getCharacterEncoding);
            writer = new PrintWriter(text);
        }
        return writer;
    }

    @Override
    public void setCharacterEncoding(String encoding) {
        if (!writerAsked) {
            super.setCharacterEncoding(encoding);
        }
    }

    /** The encoding of a writer no longer changes. The container does not know of this writer. */
    @Override
    public void setContentType(@Nullable String type) {
        boolean hasEncoding = writerAsked && type != null;
        super.setContentType(
                hasEncoding ? CHARSET.matcher(type).replaceAll("") + ";charset=" + getCharacterEncoding() : type);
    }

    @Override
    public void setHeader(String name, String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
        } else {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
        } else {
            super.addHeader(name, value);
        }
    }

    private void drain() throws IOException {
        if (text != null) {
            text.drain();
        }
    }

    @Override
    public void flushBuffer() throws IOException {
        drain();
        if (output == null) {
            super.flushBuffer();
        } else {
            output.flush();
        }
    }

    @Override
    public void reset() {
        super.reset();
        beginAnew();
    }

    /**
     * The service may choose again between stream and writer, after a reset and in a forward. Responses in front may keep
     * the writer, so the writer stays the same.
     */
    void beginAnew() {
        forget();
        writerAsked = false;
        streamAsked = false;
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        forget();
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        super.sendError(status, message);
        forget();
    }

    @Override
    public void sendError(int status) throws IOException {
        super.sendError(status);
        forget();
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        super.sendRedirect(location);
        forget();
    }

    /** The service failed: no kept bytes are sent. Asynchronous processing keeps no bytes. */
    void abandon() {
        if (output != null && !request.isAsyncStarted()) {
            output.abandon();
        }
    }

    private void forget() {
        if (text != null) {
            text.forget();
        }
        if (output != null) {
            output.forget();
        }
    }

    /**
     * Sends the rest after the service has returned: immediately if possible, otherwise without a thread.
     *
     * <p>Does nothing during asynchronous processing, because another thread may be writing.
     *
     * @throws BodyCutOffException if the body was refused after part of the body was sent, so the client notices the
     *     early end
     */
    void finish(GuardTime time) throws IOException {
        // A filter in front, with a response of its own, may be at work on the body's end.
        boolean isFirst = !(response instanceof ServletResponseWrapper);
        ThrottledOutput rest = rest();
        if (rest == null) {
            return;
        }
        if (isFirst && request.isAsyncSupported()) {
            rest.sendAllLater(request.startAsync(request, response), time);
        } else {
            rest.sendAllWaiting();
        }
    }

    /** As {@link #finish}, on the calling thread: after a forward, some containers accept no more bytes. */
    void finishHere() throws IOException {
        ThrottledOutput rest = rest();
        if (rest != null) {
            rest.sendAllWaiting();
        }
    }

    /** Null if nothing is kept. */
    private @Nullable ThrottledOutput rest() throws IOException {
        if (request.isAsyncStarted()) {
            return null;
        }
        drain();
        if (output == null || answersRefusal()) {
            return null;
        }
        output.offerRest();
        return output.isHolding() ? output : null;
    }

    /** Before asynchronous processing: sends the kept bytes first. */
    void beforeAsync() {
        if (output != null && output.isHolding()) {
            try {
                output.sendAllWaiting();
            } catch (IOException e) {
                LOG.debug("A throttled body ended early; the service will find that its stream fails", e);
                output.forget();
            }
        }
    }

    /**
     * Completes asynchronous processing: sends the rest on the calling thread. A refused body gets no normal end, so
     * the client cannot mistake the body for a complete body.
     */
    void completeAsync(AsyncContext async) {
        sendRest();
        Optional<ThrottleRefusal> refusal = output == null ? Optional.empty() : output.refusal();
        if (refusal.isPresent()) {
            AsyncBodyWriter.cutOff(async, refusal.get());
        } else {
            async.complete();
        }
    }

    /** Sends the rest on the calling thread, also after the completion: a filter may write in its listener. */
    void sendRest() {
        try {
            drain();
            if (output != null) {
                output.offerRest();
                output.sendAllWaiting();
            }
        } catch (IOException e) {
            LOG.debug("The end of a throttled body could not be sent", e);
        }
    }

    /** The container's response, without its throttle. */
    static HttpServletResponse unwrap(HttpServletResponse response) {
        ThrottledResponse throttled = WebUtils.getNativeResponse(response, ThrottledResponse.class);
        return throttled == null ? response : throttled.response;
    }

    /** Whether the throttle refused the body before its first byte. If so, the refusal is the response. */
    boolean answersRefusal() throws IOException {
        Optional<ThrottleRefusal> refusal = output == null ? Optional.empty() : output.refusal();
        if (refusal.isEmpty() || response.isCommitted()) {
            return false;
        }
        response.reset();
        refusal.get().writeTo(response);
        return true;
    }
}
