package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthUnavailableException;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time that a request waits without a thread.
 *
 * <p>Three may end it: the worker, the container's timeout, and an error such as a client that went away. One flag decides which;
 * the others find it taken. The worker touches neither request nor response: after a timeout the container may have given
 * them to somebody else.
 */
final class AsyncRound implements AsyncListener {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncRound.class);
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final AtomicBoolean over = new AtomicBoolean();
    private final AsyncContext context;
    private final GuardedRequest guarded;
    private final CompletableFuture<Object> answer = new CompletableFuture<>();

    private AsyncRound(AsyncContext context, GuardedRequest guarded) {
        this.context = context;
        this.guarded = guarded;
    }

    /** Gives the thread of this request back until what is needed is there. */
    static void start(
            HttpServletRequest request,
            HttpServletResponse response,
            GuardedRequest guarded,
            AsyncPause pause,
            HashingNeeded needed,
            Duration timeout) {
        AsyncContext context = request.startAsync(request, response);
        context.setTimeout(timeout.toMillis());
        AsyncRound round = new AsyncRound(context, guarded);
        context.addListener(round);
        guarded.pause(pause, needed.key(), round.answer);
        round.wait(needed);
    }

    private void wait(HashingNeeded needed) {
        CompletableFuture<?> work = begin(needed);
        answer.whenComplete((value, failure) -> work.cancel(false));
        work.whenComplete((value, failure) -> {
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(failure);
            }
            if (over.compareAndSet(false, true)) {
                dispatch();
            }
        });
    }

    private static CompletableFuture<?> begin(HashingNeeded needed) {
        try {
            return needed.begin();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void dispatch() {
        try {
            context.dispatch();
        } catch (IllegalStateException e) {
            LOG.debug("The request was over before its hash", e);
            guarded.close();
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        if (over.compareAndSet(false, true)) {
            answer.completeExceptionally(
                    AuthUnavailableException.overload("A password was not checked in time", A_MOMENT));
            dispatch();
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        giveUp();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        giveUp();
    }

    /** Nobody is left to read the answer. */
    private void giveUp() {
        if (over.compareAndSet(false, true)) {
            answer.cancel(false);
            guarded.close();
        }
    }

    /** A cycle of somebody else's, which has listeners of its own. */
    @Override
    public void onStartAsync(AsyncEvent event) {}
}
