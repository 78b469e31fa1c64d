package dev.latchkey.throttle.spring;

import dev.latchkey.throttle.ThrottleResult;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Throttles a service with its own non-blocking writes. After each write the throttle is asked for the same number of
 * tokens. Until the throttle grants them, {@code isReady()} is false, as for a full socket.
 */
final class ThrottledWriteListener implements WriteListener {

    private final ServersStream out;
    private final LongFunction<CompletableFuture<ThrottleResult>> throttle;
    private final WriteListener service;

    @Nullable
    private CompletableFuture<ThrottleResult> lastWrite;

    /** Whether a call of the service is scheduled for the throttle's answer: only once, for any number of questions. */
    private boolean willCall;

    /** Set before the call of the service, by any thread. */
    private volatile ThrottleResult.@Nullable Refused refused;

    /** @param throttle acquires tokens for a number of bytes */
    ThrottledWriteListener(
            ServersStream out, LongFunction<CompletableFuture<ThrottleResult>> throttle, WriteListener service) {
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

    /** False if the container or the throttle's answer will call the service. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener receives failures
    boolean isReady() {
        CompletableFuture<ThrottleResult> result = lastWrite;
        if (result == null || (result.isDone() && result.join() instanceof ThrottleResult.Passed)) {
            return out.isReady();
        }
        if (!willCall) {
            willCall = true;
            // Not on the throttle's timer, because all requests share the timer and the service's work may be long.
            result.whenCompleteAsync((answer, cancelled) -> goOn(answer));
        }
        return false;
    }

    /** The refusal, if the throttle ended the body. */
    Optional<ThrottleResult.Refused> refused() {
        return Optional.ofNullable(refused);
    }

    private void goOn(@Nullable ThrottleResult answer) {
        if (out.enter()) {
            try {
                callService(answer);
            } finally {
                out.leave();
            }
        }
    }

    private void callService(@Nullable ThrottleResult answer) {
        if (!(answer instanceof ThrottleResult.Passed)) {
            refused = answer instanceof ThrottleResult.Refused no ? no : BodyThrottle.FOR_NOW;
            service.onError(new BodyThrottle.CutOffException());
            return;
        }
        try {
            if (out.isReady()) {
                service.onWritePossible();
            }
        } catch (IOException | RuntimeException | Error e) {
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
