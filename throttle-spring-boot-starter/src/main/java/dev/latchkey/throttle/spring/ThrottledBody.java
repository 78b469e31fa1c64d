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

/**
 * The body of a {@link ThrottledResponse}, on its way to its end: complete, refused or cut off.
 *
 * <p>After the return of the service, {@link AsyncBodyWriter} sends the rest without a thread. During asynchronous processing the
 * body belongs to the service's own threads.
 */
final class ThrottledBody {

    private static final Logger LOG = LoggerFactory.getLogger(ThrottledBody.class);

    /** A single line in the log is enough for a wrong setting. */
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final PendingPieces.Memory memory;
    private final ThrottledResponse written;

    /** Null before the first use of the stream, and without a throttle. */
    @Nullable
    private volatile ThrottledOutput output;

    /** Whether the service has completed its asynchronous processing. */
    private volatile boolean completed;

    /** Whether the request has timed out in the middle of the body. */
    private volatile boolean isCutOff;

    /**
     * @param response the server's response
     * @param memory the common memory of all bodies
     * @param written the service writes to this response
     */
    ThrottledBody(
            HttpServletRequest request,
            HttpServletResponse response,
            PendingPieces.Memory memory,
            ThrottledResponse written) {
        this.request = request;
        this.response = response;
        this.memory = memory;
        this.written = written;
    }

    /** The service takes its stream. Call this method once. */
    ThrottledOutput begin(BodyThrottle throttle) throws IOException {
        ThrottledOutput begun = new ThrottledOutput(
                new ServersStream(response.getOutputStream()),
                throttle,
                request::isAsyncStarted,
                response::getBufferSize,
                memory);
        output = begun;
        return begun;
    }

    /** Flushes the body. Returns false if no body has begun. */
    boolean flush() throws IOException {
        if (output == null) {
            return false;
        }
        output.flush();
        return true;
    }

    /** Drops the bytes that were not sent yet. */
    void forget() {
        if (output != null) {
            output.forget();
        }
    }

    /** The service failed: no kept bytes are sent. Asynchronous processing keeps no bytes. */
    void abandon() {
        if (output != null && !request.isAsyncStarted()) {
            output.abandon();
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
        // An earlier filter with its own response may still be writing the end of the body.
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

    /** Like {@link #finish}, but on the calling thread: after a forward, containers accept no more bytes. */
    void finishHere() throws IOException {
        ThrottledOutput rest = rest();
        if (rest != null) {
            rest.sendAllWaiting();
        }
        if (!request.isAsyncStarted()) {
            written.end();
        }
    }

    /** Null if nothing is kept, or if the server takes no more bytes. In the second case, the server has told the service. */
    private @Nullable ThrottledOutput rest() throws IOException {
        if ((request.isAsyncStarted() && !completed) || hasFailed()) {
            return null;
        }
        endOtherWriter();
        written.drain();
        if (output == null || answersRefusal()) {
            return null;
        }
        if (output.refusal().isPresent()) {
            throw new BodyThrottle.CutOffException();
        }
        output.offerRest();
        return output.isHolding() ? output : null;
    }

    private boolean hasFailed() {
        return output != null && output.hasFailed();
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
        if (refusal.isEmpty() || hasFailed()) {
            AsyncBodyWriter.complete(async);
        } else {
            AsyncBodyWriter.cutOff(async, refusal.get());
        }
    }

    /**
     * Sends the rest on the calling thread, also after the completion: a filter may write in its listener. Does nothing while
     * another thread writes, because the service has then completed the request without waiting for the other thread.
     */
    void sendRest() {
        if (output != null && output.isBusy()) {
            return;
        }
        try {
            written.drain();
            if (output != null) {
                output.offerRest();
                output.sendAllWaiting();
            }
        } catch (IOException e) {
            LOG.debug("The end of a throttled body could not be sent", e);
        }
    }

    /** If the request ends while another thread writes, for example after a time-out, the incomplete body is refused. */
    private void endOtherWriter() {
        if (output != null && output.isBusy()) {
            ThrottleRefusal unused = output.cutOff();
        }
    }

    /**
     * The request has timed out in the middle of the body. The body must not look complete, so this class ends the request.
     * A later dispatch or completion by the service has no effect.
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
    void endFailed() {
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

    /** Whether the throttle refused the body before its first byte. If so, the refusal is the response. */
    boolean answersRefusal() throws IOException {
        Optional<ThrottleRefusal> refusal = output == null ? Optional.empty() : output.refusal();
        if (refusal.isEmpty() || response.isCommitted()) {
            return false;
        }
        refusal.get().replaceBody(response);
        return true;
    }
}
