package dev.latchkey.auth.password.upgrade;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Runs a task when told to. */
final class ManualExecutor implements DelayedExecutor {
    final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    final List<Duration> rests = new ArrayList<>();
    boolean closed;

    @Override
    public void after(Duration rest, Runnable task) {
        rests.add(rest);
        tasks.add(task);
    }

    void runAll() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
