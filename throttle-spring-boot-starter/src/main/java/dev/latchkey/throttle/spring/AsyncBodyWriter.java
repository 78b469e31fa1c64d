package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the rest of a body without a thread of its own: non-blocking writes (Servlet 6.0, section 5.7), each when the throttle
 * lets its piece pass and the socket takes it.
 *
 * <p>At any time exactly one side has the next step: the container, after {@code isReady()} said no, or the throttle, while its
 * answer is pending. The side that has it runs {@link #step}, so nothing here is locked. A side writes nothing after it has
 * given the step away, since the other one may be at work already.
 *
 * <p>A client that reads nothing for too long, and a piece that the throttle refuses, end with a dispatch that throws: to
 * complete the request would put a proper end to a body that is not whole.
 */
final class AsyncBodyWriter implements WriteListener {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncBodyWriter.class);
    private static final long NOT_ASKED = Long.MIN_VALUE;
    private static final String CUT_OFF = AsyncBodyWriter.class.getName() + ".cutOff";

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final PendingPieces pending;
    private final BodyThrottle throttle;
    private final GuardTime time;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** When the container was asked last whether the socket takes more; {@link #NOT_ASKED} while another side has the step. */
    private volatile long askedAt = NOT_ASKED;

    /** Set by {@link #watch} alone. */
    private volatile WakeUp watch = () -> {};

    private AsyncBodyWriter(
            AsyncContext async, ServletOutputStream out, PendingPieces pending, BodyThrottle throttle, GuardTime time) {
        this.async = async;
        this.out = out;
        this.pending = pending;
        this.throttle = throttle;
        this.time = time;
    }

    /** Takes the body over; the calling thread must not touch it, nor the response, any more. */
    static void begin(
            AsyncContext async, ServletOutputStream out, PendingPieces pending, BodyThrottle throttle, GuardTime time) {
        AsyncBodyWriter rest = new AsyncBodyWriter(async, out, pending, throttle, time);
        // The time-outs here follow the progress of the body; the server's would end a long download that goes well.
        async.setTimeout(0);
        async.addListener(new OnAsyncEnd(rest::end));
        rest.askedAt = time.nanoTime();
        rest.watch();
        out.setWriteListener(rest);
    }

    /**
     * To be called first in each dispatch: whether it was for a body that was cut off before any of it was sent, and is
     * answered now.
     *
     * @throws BodyCutOffException if some of the body was sent, so that the container ends the connection
     */
    static boolean answersCutOff(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!(request.getAttribute(CUT_OFF) instanceof ThrottleRefusal refusal)) {
            return false;
        }
        if (response.isCommitted()) {
            throw new BodyCutOffException();
        }
        response.reset();
        refusal.writeTo(response);
        return true;
    }

    @Override
    public void onWritePossible() throws IOException {
        step();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what fails in resume() ends there
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
                result.whenComplete((answer, cancelled) -> resume());
                return;
            }
            if (result.join() instanceof ThrottleResult.Refused refused) {
                cutOff(refused);
                return;
            }
            out.write(pending.take());
            pending.wrote();
            if (pending.isHolding()) {
                pending.begin(throttle.acquire(pending.first().length));
            }
        }
    }

    /** False if the container has the next step now: the time is noted before. */
    private boolean isReady() {
        askedAt = time.nanoTime();
        if (!out.isReady()) {
            return false;
        }
        askedAt = NOT_ASKED;
        return true;
    }

    /** Ends a body of which the client reads nothing for too long, or looks again when the time would be over. */
    private void watch() {
        long asked = askedAt;
        Duration left = asked == NOT_ASKED
                ? throttle.writeTimeout()
                : throttle.writeTimeout().minusNanos(time.nanoTime() - asked);
        if (left.isNegative() || left.isZero()) {
            cutOffStalled();
            return;
        }
        watch = time.after(left, this::watch);
        if (ended.get()) {
            watch.cancel();
        }
    }

    /** On the throttle's timer, for the length of a write that does not block. */
    private void resume() {
        try {
            step();
        } catch (IOException | RuntimeException e) {
            onError(e);
        }
    }

    @Override
    public void onError(Throwable failure) {
        LOG.debug("A throttled body ended early: its client went away", failure);
        if (ended.compareAndSet(false, true)) {
            release();
            complete();
        }
    }

    private void cutOffStalled() {
        cutOff(new ThrottleResult.Refused(ThrottleScope.GLOBAL, Duration.ofSeconds(1)));
    }

    private void cutOff(ThrottleResult.Refused refused) {
        if (ended.compareAndSet(false, true)) {
            release();
            cutOff(async, throttle.refusal(refused));
        }
    }

    /** Ends a body that was refused: by a dispatch, in which {@link #answersCutOff} answers the client. */
    static void cutOff(AsyncContext async, ThrottleRefusal refusal) {
        try {
            async.getRequest().setAttribute(CUT_OFF, refusal);
            async.dispatch();
        } catch (IllegalStateException e) {
            LOG.debug("A throttled body was ended by the server before", e);
        }
    }

    private void complete() {
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

    /** The bytes stay: the side that has the step may be about to write them. */
    private void release() {
        watch.cancel();
        pending.leave();
        if (pending.isHolding()) {
            pending.result().cancel(false);
        }
    }
}
