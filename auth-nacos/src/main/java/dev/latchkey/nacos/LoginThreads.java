package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.DaemonThreads;
import dev.latchkey.auth.guard.HeldRefusals;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for logins that must wait for a password hash, so that no request thread of the server waits.
 *
 * <p>The server has 200 request threads for everything. If 200 first logins waited on these threads, no other request
 * would find a thread. If only some logins could wait, all other logins would be rejected, and rejections take
 * processor time from the hashes. The threads of this class mostly wait: permits limit the number of threads that
 * compute.
 *
 * <p>Only the login itself runs here, after the server's filters. No filter runs twice. Safe for use by any number of
 * threads.
 */
final class LoginThreads implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LoginThreads.class);
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final BooleanSupplier hashBeginsAtOnce;
    private final HeldRefusals held;
    private final ThreadPoolExecutor threads;

    /**
     * @param most waiting logins; further logins are rejected
     * @param hashBeginsAtOnce true while a login would not wait, and can run on the request's thread
     */
    LoginThreads(int most, BooleanSupplier hashBeginsAtOnce, HeldRefusals held) {
        this(most, hashBeginsAtOnce, held, DaemonThreads.of(LoginThreads.class, "latchkey-login"));
    }

    LoginThreads(int most, BooleanSupplier hashBeginsAtOnce, HeldRefusals held, ThreadFactory factory) {
        this.hashBeginsAtOnce = hashBeginsAtOnce;
        this.held = held;
        this.threads = new ThreadPoolExecutor(0, most, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), factory);
    }

    /** Whether a login of this request should run here. */
    boolean areFor(ServletRequest request) {
        return !hashBeginsAtOnce.getAsBoolean() && request.isAsyncSupported() && !request.isAsyncStarted();
    }

    /** Answers the request of this thread's call on another thread. The caller returns without an answer. */
    void answer(CurrentCall call, ServletRequest request, HttpServletResponse response, Supplier<HttpAnswer> login) {
        // Permits limit the wait.
        HeldRequest async = HeldRequest.start(request, response);
        call.endsLater();
        try {
            threads.execute(() -> answer(call, async, response, login));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // After such an error, the machine cannot start a further thread now.
            answer(call, async, response, () -> refusal(call));
        }
    }

    private static HttpAnswer refusal(CurrentCall call) {
        AuthUnavailableException why = AuthUnavailableException.overload("Too many logins wait for a hash", A_MOMENT);
        call.failed(why);
        call.foundNoHash();
        return HttpAnswer.of(why);
    }

    private void answer(CurrentCall call, HeldRequest async, HttpServletResponse response, Supplier<HttpAnswer> login) {
        try {
            HttpAnswer answer = call.within(login);
            if (!async.isOver()) {
                answer.write(response);
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("The answer to a login could not be written", e);
        } finally {
            call.ended();
            boolean isHeld = call.unavailable().isPresent() && held.hold(async::complete);
            if (!isHeld) {
                async.complete();
            }
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
