package dev.latchkey.throttle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Endless downloads: after each chunk, the next request follows. */
final class Download {

    private final ThrottleClient client;
    private final int chunk;
    private final AtomicLong bytes = new AtomicLong();

    Download(ThrottleClient client, int chunk) {
        this.client = client;
        this.chunk = chunk;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // goes on after an admission
    Download begin() {
        CompletableFuture<ThrottleResult> result = client.acquire(chunk);
        while (result.isDone() && result.join() instanceof ThrottleResult.Passed) {
            bytes.addAndGet(chunk);
            result = client.acquire(chunk);
        }
        result.thenAccept(later -> {
            bytes.addAndGet(chunk);
            begin();
        });
        return this;
    }

    /** In bytes, so far. */
    AtomicLong passed() {
        return bytes;
    }
}
