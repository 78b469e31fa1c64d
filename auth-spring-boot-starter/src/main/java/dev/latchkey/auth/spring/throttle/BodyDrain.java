package dev.latchkey.auth.spring.throttle;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.ThrottleScope;
import dev.latchkey.auth.guard.throttle.Passage;
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
 * <p>At any time exactly one side has the next step: the container, after {@code isReady()} said no, or the throttle, while a
 * passage is pending. The side that has it runs {@link #step}, so nothing here is locked.
 *
 * <p>A client that reads nothing for too long, and a piece that the throttle refuses, end with a dispatch that throws: to
 * complete the request would put a proper end to a body that is not whole.
 */
final class BodyDrain implements WriteListener {

    private static final Logger LOG = LoggerFactory.getLogger(BodyDrain.class);
    private static final String CUT_OFF = BodyDrain.class.getName() + ".cutOff";

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final HeldBody held;
    private final BodyToll toll;
    private final GuardTime time;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile WakeUp stalled = () -> {};

    private BodyDrain(AsyncContext async, ServletOutputStream out, HeldBody held, BodyToll toll, GuardTime time) {
        this.async = async;
        this.out = out;
        this.held = held;
        this.toll = toll;
        this.time = time;
    }

    /** Takes the body over; the calling thread must not touch it, nor the response, any more. */
    static void begin(AsyncContext async, ServletOutputStream out, HeldBody held, BodyToll toll, GuardTime time) {
        BodyDrain drain = new BodyDrain(async, out, held, toll, time);
        // The time-outs here follow the progress of the body; the server's would end a long download that goes well.
        async.setTimeout(0);
        async.addListener(new OnAsyncEnd(drain::end));
        out.setWriteListener(drain);
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
        stalled.cancel();
        step();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whatever fails in resume() ends there
    private void step() throws IOException {
        while (!ended.get() && out.isReady()) {
            if (!held.isHolding()) {
                end();
                async.complete();
                return;
            }
            CompletableFuture<Passage> passage = held.passage();
            if (!passage.isDone()) {
                if (held.mustFlush()) {
                    out.flush();
                }
                passage.whenComplete((answer, cancelled) -> resume());
                return;
            }
            if (passage.join() instanceof Passage.Refused refused) {
                cutOff(refused);
                return;
            }
            out.write(held.take());
            held.wrote();
            if (held.isHolding()) {
                held.begin(toll.acquire(held.first().length));
            }
        }
        if (!ended.get()) {
            stalled = time.after(toll.writeTimeout(), this::cutOffStalled);
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
        cutOff(new Passage.Refused(ThrottleScope.GLOBAL, Duration.ofSeconds(1)));
    }

    private void cutOff(Passage.Refused refused) {
        if (ended.compareAndSet(false, true)) {
            release();
            cutOff(async, toll.refusal(refused));
        }
    }

    /** Ends a body that was refused: by a dispatch, in which {@link #answersCutOff} tells the client. */
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
        stalled.cancel();
        if (held.isHolding()) {
            held.passage().cancel(false);
        }
    }
}
