package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.throttle.ThrottleResult;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the rest of a body without a thread of its own, with non-blocking writes (Servlet 6.0, section 5.7). Each piece
 * is written when the throttle has passed the piece and the socket is ready.
 *
 * <p>The container runs the next {@link #step} after {@code isReady()} has returned false. Otherwise the throttle's answer
 * starts the step on a thread of the container. Each side has the {@link ServersStream} meanwhile, and writes nothing after the
 * hand-over. The throttle's own thread never writes: on HTTP/2, a non-blocking write of Tomcat waits for a client that reads
 * nothing.
 *
 * <p>If the throttle refuses a piece before the response is committed, the refusal is the response. If the throttle refuses a
 * later piece, or a client reads nothing for too long, the body ends with a dispatch that throws. A normal completion would
 * make an incomplete body look complete.
 */
final class AsyncBodyWriter implements WriteListener {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncBodyWriter.class);
    private static final long NOT_ASKED = Long.MIN_VALUE;
    private static final String CUT_OFF = AsyncBodyWriter.class.getName() + ".cutOff";

    private final AsyncContext async;
    private final ServersStream out;
    private final PendingPieces pending;
    private final BodyThrottle throttle;
    private final GuardTime time;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** The time of the last call of {@code isReady()}; {@link #NOT_ASKED} while the other side has the step. */
    private volatile long askedAt = NOT_ASKED;

    /** Set only by {@link #watch}. */
    private volatile WakeUp watch = () -> {};

    private AsyncBodyWriter(
            AsyncContext async, ServersStream out, PendingPieces pending, BodyThrottle throttle, GuardTime time) {
        this.async = async;
        this.out = out;
        this.pending = pending;
        this.throttle = throttle;
        this.time = time;
    }

    /**
     * Takes over the body. The calling thread must no longer touch the body or the response.
     *
     * @throws UnsupportedOperationException if the response is Spring's mock; the body is still the caller's
     */
    static void begin(
            AsyncContext async, ServersStream out, PendingPieces pending, BodyThrottle throttle, GuardTime time) {
        AsyncBodyWriter rest = new AsyncBodyWriter(async, out, pending, throttle, time);
        rest.alone(() -> {
            out.setWriteListener(rest);
            // The time-outs here follow the progress of the body. The server's time-out would end a long, healthy
            // download.
            async.setTimeout(0);
            async.addListener(rest.new OnAsyncEnd());
            rest.askedAt = time.nanoTime();
            rest.watch();
        });
    }

    /**
     * Answers a dispatch of a body that was cut off before its first byte. Call this method first in each dispatch.
     *
     * @return whether the dispatch is answered now
     * @throws BodyThrottle.CutOffException if part of the body was sent, so the container must close the connection
     */
    static boolean answersCutOff(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!(request.getAttribute(CUT_OFF) instanceof ThrottleRefusal refusal)) {
            return false;
        }
        if (response.isCommitted()) {
            throw new BodyThrottle.CutOffException();
        }
        refusal.replaceBody(response);
        return true;
    }

    @Override
    public void onWritePossible() throws IOException {
        if (out.enter()) {
            try {
                step();
            } finally {
                out.leave();
            }
        }
    }

    private void resume() {
        alone(() -> {
            try {
                step();
            } catch (IOException | RuntimeException e) {
                onError(e);
            }
        });
    }

    /** Runs the work on a thread of the container, because the work may block. */
    private void start(Runnable work) {
        if (ended.get()) {
            return;
        }
        try {
            async.start(work);
        } catch (RejectedExecutionException e) {
            LOG.debug("A throttled body is cut off: the server has no thread for its next piece", e);
            cutOff(BodyThrottle.FOR_NOW);
        } catch (IllegalStateException e) {
            LOG.debug("A throttled body was ended by the server before", e);
        }
    }

    /** Does nothing if the request has ended. */
    private void alone(Runnable work) {
        if (out.enter()) {
            try {
                work.run();
            } finally {
                out.leave();
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // start() and resume() handle their failures
    private void step() throws IOException {
        while (!ended.get() && isReady()) {
            if (!pending.isHolding()) {
                end();
                async.complete();
                return;
            }
            CompletableFuture<ThrottleResult> result = pending.result();
            if (!result.isDone()) {
                if (pending.mustFlush()) {
                    out.flush();
                }
                result.whenComplete((answer, cancelled) -> start(this::resume));
                return;
            }
            if (result.join() instanceof ThrottleResult.Refused refused) {
                refuse(refused);
                return;
            }
            byte[] piece = pending.take();
            out.write(piece, 0, piece.length);
            pending.wrote();
            if (pending.isHolding()) {
                pending.begin(throttle.acquire(pending.first().length));
            }
        }
    }

    /** False if the container has the next step. */
    private boolean isReady() {
        boolean ready = out.isReady();
        askedAt = ready ? NOT_ASKED : time.nanoTime();
        return ready;
    }

    /** Ends a body that the client does not read for too long. Otherwise schedules the next check. */
    private void watch() {
        long asked = askedAt;
        Duration left = asked == NOT_ASKED
                ? throttle.writeTimeout()
                : throttle.writeTimeout().minusNanos(time.nanoTime() - asked);
        if (left.isNegative() || left.isZero()) {
            start(() -> alone(() -> cutOff(BodyThrottle.FOR_NOW)));
            return;
        }
        watch = time.after(left, this::watch);
        if (ended.get()) {
            watch.cancel();
        }
    }

    @Override
    public void onError(Throwable failure) {
        LOG.debug("A throttled body ended early: its client went away", failure);
        out.awaitLeave();
        if (ended.compareAndSet(false, true)) {
            release();
            complete(async);
        }
    }

    /**
     * Answers a body that is refused before its first byte. A dispatch fails here: Undertow closes a stream with a listener on
     * its I/O thread, and ends the dispatch on another thread at the same time.
     */
    private void refuse(ThrottleResult.Refused refused) throws IOException {
        HttpServletResponse response = (HttpServletResponse) async.getResponse();
        if (response.isCommitted()) {
            cutOff(refused);
            return;
        }
        throttle.refusal(refused).replaceBody(response);
        end();
        async.complete();
    }

    private void cutOff(ThrottleResult.Refused refused) {
        if (ended.compareAndSet(false, true)) {
            release();
            cutOff(async, throttle.refusal(refused));
        }
    }

    /** Ends a refused body by a dispatch. In the dispatch, {@link #answersCutOff} answers the client. */
    static void cutOff(AsyncContext async, ThrottleRefusal refusal) {
        try {
            async.getRequest().setAttribute(CUT_OFF, refusal);
            async.dispatch();
        } catch (IllegalStateException e) {
            LOG.debug("A throttled body was ended by the server before", e);
        }
    }

    /** Completes a request. After an error, the server may have completed the request before. */
    static void complete(AsyncContext async) {
        try {
            async.complete();
        } catch (IllegalStateException e) {
            LOG.debug("A throttled body was ended by the server before", e);
        }
    }

    private void end() {
        if (ended.compareAndSet(false, true)) {
            release();
        }
    }

    /** Keeps the bytes: the side with the step may be about to write them. */
    private void release() {
        watch.cancel();
        pending.leave();
        if (pending.isHolding()) {
            pending.result().cancel(false);
        }
    }

    /** Runs at any end of the request's asynchronous processing, possibly more than once. */
    private final class OnAsyncEnd implements AsyncListener {

        /** Waits for nothing: Tomcat holds a lock here that a writing thread may need. */
        @Override
        public void onComplete(AsyncEvent event) {
            out.end();
            end();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            end();
        }

        /** If no listener completes the request, Tomcat's own handling of the error may end another request. */
        @Override
        public void onError(AsyncEvent event) {
            out.awaitLeave();
            end();
            complete(event.getAsyncContext());
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // The service starts again within a dispatch, so processing has not ended.
        }
    }
}
