package dev.latchkey.benchmarks.services;

import dev.latchkey.auth.guard.Passage;
import dev.latchkey.auth.guard.ThrottleClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes a body chunk by chunk, each after its passage through the throttle, and holds no thread while it waits for either the
 * throttle or the socket. One thread at a time is in {@link #advance}: either the container's, called when the socket can take
 * more, or the throttle's, called when a chunk may pass; neither is asked for before the other has answered.
 */
final class PacedBody implements WriteListener {

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final ThrottleClient client;
    private final byte[] chunk;
    private int left;
    private boolean mayPass;
    private boolean unflushed;

    PacedBody(AsyncContext async, ServletOutputStream out, ThrottleClient client, byte[] chunk, int bytes) {
        this.async = async;
        this.out = out;
        this.client = client;
        this.chunk = chunk;
        this.left = bytes;
    }

    @Override
    public void onWritePossible() throws IOException {
        advance();
    }

    private synchronized void advance() throws IOException {
        while (out.isReady()) {
            if (unflushed) {
                out.flush();
                unflushed = false;
            } else if (left == 0) {
                async.complete();
                return;
            } else if (mayPass) {
                write();
            } else if (!passesAtOnce()) {
                return;
            }
        }
    }

    private void write() throws IOException {
        int next = Math.min(chunk.length, left);
        out.write(chunk, 0, next);
        left -= next;
        mayPass = false;
        unflushed = true;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // continueAfter sees every end
    private boolean passesAtOnce() {
        CompletableFuture<Passage> passage = client.acquire(Math.min(chunk.length, left));
        if (passage.isDone()) {
            mayPass = passage.join() instanceof Passage.Passed;
            return mayPass;
        }
        passage.whenComplete(this::continueAfter);
        return false;
    }

    private synchronized void continueAfter(@Nullable Passage passage, @Nullable Throwable failure) {
        mayPass = passage instanceof Passage.Passed;
        try {
            if (mayPass) {
                advance();
            } else {
                async.complete();
            }
        } catch (IOException | IllegalStateException e) {
            onError(e);
        }
    }

    @Override
    public void onError(Throwable failure) {
        async.complete();
    }
}
