package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.redis.RevocationMessages;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Listens for messages about revocations. */
final class RevocationNews implements SmartLifecycle {

    private final Supplier<RevocationMessages> source;
    private @Nullable RevocationMessages messages;

    RevocationNews(Supplier<RevocationMessages> source) {
        this.source = source;
    }

    /** Starts after the refresh of the copy, and stops before it. */
    @Override
    public int getPhase() {
        return RevocationRefresh.PHASE + 1;
    }

    @Override
    public synchronized void start() {
        if (messages == null) {
            messages = source.get();
            messages.start();
        }
    }

    @Override
    public synchronized void stop() {
        if (messages != null) {
            messages.close();
            messages = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return messages != null;
    }

    /** Whether messages come. */
    synchronized boolean isListening() {
        return messages != null && messages.isListening();
    }
}
