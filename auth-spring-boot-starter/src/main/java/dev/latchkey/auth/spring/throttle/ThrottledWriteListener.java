package dev.latchkey.auth.spring.throttle;

import dev.latchkey.auth.guard.ThrottleScope;
import dev.latchkey.auth.guard.throttle.ThrottleResult;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The throttle of a service that writes without blocking itself: it pays for what it has written before it may write more, and
 * is told so by {@code isReady()}, as if the socket were full.
 */
final class ThrottledWriteListener implements WriteListener {

    private final ServletOutputStream out;
    private final LongFunction<CompletableFuture<ThrottleResult>> throttle;
    private final WriteListener service;

    @Nullable
    private CompletableFuture<ThrottleResult> owed;

    /** The service will be told when it has paid: once, however often it asks. */
    private boolean willTell;

    /** Set before the service is told, by whichever thread that is. */
    private volatile ThrottleResult.@Nullable Refused refused;

    /** @param throttle asked for tokens at a cost in bytes */
    ThrottledWriteListener(
            ServletOutputStream out, LongFunction<CompletableFuture<ThrottleResult>> throttle, WriteListener service) {
        this.out = out;
        this.throttle = throttle;
        this.service = service;
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        if (length > 0) {
            owed = throttle.apply(length);
            willTell = false;
        }
    }

    /** False if the service will be told when it may write, by {@link #onWritePossible} or when it has paid. */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails is told to the listener
    boolean isReady() {
        CompletableFuture<ThrottleResult> result = owed;
        if (result == null || (result.isDone() && result.join() instanceof ThrottleResult.Passed)) {
            return out.isReady();
        }
        if (!willTell) {
            willTell = true;
            // Not on the throttle's timer, which all share: what the service does then may take long.
            result.whenCompleteAsync((answer, cancelled) -> paid(answer));
        }
        return false;
    }

    /** What ended the body, if the throttle did. */
    Optional<ThrottleResult.Refused> refused() {
        return Optional.ofNullable(refused);
    }

    private void paid(@Nullable ThrottleResult answer) {
        if (!(answer instanceof ThrottleResult.Passed)) {
            refused = answer instanceof ThrottleResult.Refused told
                    ? told
                    : new ThrottleResult.Refused(ThrottleScope.GLOBAL, Duration.ofSeconds(1));
            service.onError(new BodyCutOffException());
            return;
        }
        try {
            if (out.isReady()) {
                service.onWritePossible();
            }
        } catch (IOException e) {
            service.onError(e);
        }
    }

    @Override
    public void onWritePossible() throws IOException {
        service.onWritePossible();
    }

    @Override
    public void onError(Throwable failure) {
        service.onError(failure);
    }
}
