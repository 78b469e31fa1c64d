package dev.latchkey.throttle.spring;

import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Throttles a service that writes without blocking itself. After each write the throttle is asked for as many tokens; until it
 * grants them, {@code isReady()} is false, as if the socket were full.
 */
final class ThrottledWriteListener implements WriteListener {

    private final ServletOutputStream out;
    private final LongFunction<CompletableFuture<ThrottleResult>> throttle;
    private final WriteListener service;

    @Nullable
    private CompletableFuture<ThrottleResult> lastWrite;

    /** Whether the service will be called when the throttle has answered: once, however often it asks. */
    private boolean willCall;

    /** Set before the service is called, by any thread. */
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
            lastWrite = throttle.apply(length);
            willCall = false;
        }
    }

    /** False if the service will be called when it may write, by the container or when the throttle has answered. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener hears of a failure
    boolean isReady() {
        CompletableFuture<ThrottleResult> result = lastWrite;
        if (result == null || (result.isDone() && result.join() instanceof ThrottleResult.Passed)) {
            return out.isReady();
        }
        if (!willCall) {
            willCall = true;
            // Not on the throttle's timer, which all share: what the service does then may take long.
            result.whenCompleteAsync((answer, cancelled) -> goOn(answer));
        }
        return false;
    }

    /** The refusal, if the throttle ended the body. */
    Optional<ThrottleResult.Refused> refused() {
        return Optional.ofNullable(refused);
    }

    private void goOn(@Nullable ThrottleResult answer) {
        if (!(answer instanceof ThrottleResult.Passed)) {
            refused = answer instanceof ThrottleResult.Refused no
                    ? no
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
