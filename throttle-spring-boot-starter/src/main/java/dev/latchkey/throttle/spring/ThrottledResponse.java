package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
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
final class ThrottledResponse extends OwnWriterResponse {

    private static final Logger LOG = LoggerFactory.getLogger(ThrottledResponse.class);

    /** One line is enough for a setting. */
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final PendingPieces.Memory memory;

    @Nullable
    private BodyThrottle throttle;

    @Nullable
    private volatile ThrottledOutput output;

    @Nullable
    private LateThrottledStream stream;

    private boolean ended;

    /** Whether the service has completed its asynchronous processing. */
    private volatile boolean completed;

    /** Whether the request has timed out in the middle of the body. */
    private volatile boolean isCutOff;

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
                    new ServersStream(response.getOutputStream()),
                    throttle,
                    request::isAsyncStarted,
                    response::getBufferSize,
                    memory);
        }
        return output;
    }

    @Override
    LateThrottledStream stream() throws IOException {
        if (stream == null) {
            stream = new LateThrottledStream(response.getOutputStream());
            if (throttle != null) {
                stream.limit(throttled(throttle));
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

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        forget();
    }

    /** Some containers write the page of an error at once, and possibly to this response. */
    private void beforeAnswer() {
        if (!response.isCommitted()) {
            beginAnew();
        }
    }

    /** A forward begins, or the page of an error. Nothing that was written before is sent. */
    void beginWithin() {
        beginAnew();
        ended = false;
        if (stream != null) {
            stream.reopen();
        }
    }

    /** As in a container, further bytes are dropped. */
    private void end() {
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

    /** The service failed: no kept bytes are sent. Asynchronous processing keeps no bytes. */
    void abandon() {
        if (output != null && !request.isAsyncStarted()) {
            output.abandon();
        }
    }

    @Override
    void forget() {
        super.forget();
        if (output != null) {
            output.forget();
        }
    }

    /**
     * Sends the rest after the service has returned: immediately if possible, otherwise without a thread.
     *
     * <p>Does nothing during asynchronous processing, because another thread may be writing.
     *
     * @throws BodyThrottle.CutOffException if the body was refused after part of the body was sent, so the client notices the
     *     early end
     */
    void finish(GuardTime time) throws IOException {
        // A filter in front, with a response of its own, may be at work on the body's end.
        boolean isFirst = !(response instanceof ServletResponseWrapper);
        ThrottledOutput rest = rest();
        if (rest == null) {
            return;
        }
        if (isFirst && request.isAsyncSupported() && !request.isAsyncStarted()) {
            rest.sendAllLater(request.startAsync(request, response), time);
        } else {
            rest.sendAllWaiting();
        }
    }

    /** As {@link #finish}, on the calling thread: after a forward, containers accept no more bytes. */
    void finishHere() throws IOException {
        ThrottledOutput rest = rest();
        if (rest != null) {
            rest.sendAllWaiting();
        }
        if (!request.isAsyncStarted()) {
            end();
        }
    }

    /** Null if nothing is kept. */
    private @Nullable ThrottledOutput rest() throws IOException {
        if (request.isAsyncStarted() && !completed) {
            return null;
        }
        endOtherWriter();
        drain();
        if (output == null || answersRefusal()) {
            return null;
        }
        if (output.refusal().isPresent()) {
            throw new BodyThrottle.CutOffException();
        }
        output.offerRest();
        return output.isHolding() ? output : null;
    }

    /** Before asynchronous processing: sends the kept bytes first. */
    void beforeAsync() {
        completed = false;
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
        endOtherWriter();
        sendRest();
        // The thread of the request may go on writing until its return.
        completed = true;
        Optional<ThrottleRefusal> refusal = output == null ? Optional.empty() : output.refusal();
        if (refusal.isPresent()) {
            AsyncBodyWriter.cutOff(async, refusal.get());
        } else {
            AsyncBodyWriter.complete(async);
        }
    }

    /**
     * Sends the rest on the calling thread, also after the completion: a filter may write in its listener. Does nothing while
     * another thread writes, because the service has completed the request without this thread.
     */
    void sendRest() {
        if (output != null && output.isBusy()) {
            return;
        }
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

    /** The request ends while another thread writes, for example after a time-out. So the body is not whole, and is refused. */
    private void endOtherWriter() {
        if (output != null && output.isBusy()) {
            ThrottleRefusal unused = output.cutOff();
        }
    }

    /**
     * The request has timed out in the middle of the body. The body must not look whole, so this class ends the request, and the
     * service cannot.
     */
    void cutOffWriter(AsyncContext async) {
        if (output == null || !output.isHeldBack()) {
            return;
        }
        if (TOLD.compareAndSet(false, true)) {
            LOG.warn(
                    "A throttled body was still being sent at the time-out of its asynchronous request, and is cut off. Set"
                            + " spring.mvc.async.request-timeout, or the time-out of the AsyncContext, beyond the time of the longest body");
        }
        isCutOff = true;
        AsyncBodyWriter.cutOff(async, output.cutOff());
    }

    void unlessCutOff(Runnable dispatch) {
        if (!isCutOff) {
            dispatch.run();
        }
    }

    /** After an error, a server ends the request with another thread. The writing thread must have left the server's code. */
    void awaitWriter() {
        if (output != null) {
            output.awaitLeave();
        }
    }

    /** The request has ended. Only listeners, in the calling thread, may still write. */
    void endAsync() {
        if (output != null) {
            output.end();
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
