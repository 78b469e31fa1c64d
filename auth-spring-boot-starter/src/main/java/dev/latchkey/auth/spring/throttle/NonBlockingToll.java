package dev.latchkey.auth.spring.throttle;

import dev.latchkey.auth.guard.ThrottleScope;
import dev.latchkey.auth.guard.throttle.Passage;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The toll of a service that writes without blocking itself: it pays for what it has written before it may write more, and
 * is told so by {@code isReady()}, as if the socket were full.
 */
final class NonBlockingToll implements WriteListener {

    private final ServletOutputStream out;
    private final LongFunction<CompletableFuture<Passage>> toll;
    private final WriteListener service;

    @Nullable
    private CompletableFuture<Passage> owed;

    /** The service will be told when it has paid: once, however often it asks. */
    private boolean willTell;

    /** Set before the service is told, by whichever thread that is. */
    private volatile Passage.@Nullable Refused refused;

    /** @param toll asked for passage at a cost in bytes */
    NonBlockingToll(ServletOutputStream out, LongFunction<CompletableFuture<Passage>> toll, WriteListener service) {
        this.out = out;
        this.toll = toll;
        this.service = service;
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        if (length > 0) {
            owed = toll.apply(length);
            willTell = false;
        }
    }

    /** False if the service will be told when it may write, by {@link #onWritePossible} or when it has paid. */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails is told to the listener
    boolean isReady() {
        CompletableFuture<Passage> passage = owed;
        if (passage == null || (passage.isDone() && passage.join() instanceof Passage.Passed)) {
            return out.isReady();
        }
        if (!willTell) {
            willTell = true;
            // Not on the throttle's timer, which all share: what the service does then may take long.
            passage.whenCompleteAsync((answer, cancelled) -> paid(answer));
        }
        return false;
    }

    /** What ended the body, if the throttle did. */
    Optional<Passage.Refused> refused() {
        return Optional.ofNullable(refused);
    }

    private void paid(@Nullable Passage answer) {
        if (!(answer instanceof Passage.Passed)) {
            refused = answer instanceof Passage.Refused told
                    ? told
                    : new Passage.Refused(ThrottleScope.GLOBAL, Duration.ofSeconds(1));
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
