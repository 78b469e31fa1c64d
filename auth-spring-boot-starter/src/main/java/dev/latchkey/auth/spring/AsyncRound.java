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
import java.util.function.Supplier;
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
    private final CompletableFuture<Object> answer = new CompletableFuture<>();
    private final AsyncContext context;
    private final Runnable givenUp;

    private AsyncRound(AsyncContext context, Runnable givenUp) {
        this.context = context;
        this.givenUp = givenUp;
    }

    /**
     * Gives the thread of this request back until the work is done; then, or after the timeout, the request is dispatched again.
     *
     * @param givenUp called if it never will be, since the client is gone
     * @return what the work came to, or an {@link AuthUnavailableException} after the timeout
     */
    static CompletableFuture<Object> start(
            HttpServletRequest request,
            HttpServletResponse response,
            Duration timeout,
            Supplier<? extends CompletableFuture<?>> work,
            Runnable givenUp) {
        AsyncContext context = request.startAsync(request, response);
        context.setTimeout(timeout.toMillis());
        AsyncRound round = new AsyncRound(context, givenUp);
        context.addListener(round);
        round.wait(begin(work));
        return round.answer;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what is done at the end throws nothing that anybody could handle
    private void wait(CompletableFuture<?> work) {
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

    private static CompletableFuture<?> begin(Supplier<? extends CompletableFuture<?>> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void dispatch() {
        try {
            context.dispatch();
        } catch (IllegalStateException e) {
            LOG.debug("The request was over before what it waited for", e);
            givenUp.run();
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        if (over.compareAndSet(false, true)) {
            answer.completeExceptionally(AuthUnavailableException.overload("A request waited for too long", A_MOMENT));
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
            givenUp.run();
        }
    }

    /** A cycle of somebody else's, which has listeners of its own. */
    @Override
    public void onStartAsync(AsyncEvent event) {}
}
