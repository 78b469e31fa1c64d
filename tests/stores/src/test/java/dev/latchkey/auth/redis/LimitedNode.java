package dev.latchkey.auth.redis;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.LoginAttempt;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.testsupport.Until;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A node with login limits, shared with other nodes. */
final class LimitedNode implements AutoCloseable {

    static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();

    /** On a machine that has other work no answer is in time: here each wait is a hundred times as long. */
    private static final int PATIENCE = 100;

    final LoginLimits limits;
    private final TestRedis redis;
    private final CountedTime time;
    private final Queue<String> changes = new ConcurrentLinkedQueue<>();

    private LimitedNode(int port, GuardTime time) {
        this.redis = TestRedis.at(port);
        this.time = new CountedTime(time);
        RedisBucketStore store =
                RedisBucketStore.in(redis, RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10)));
        this.limits = LoginLimits.shared(
                LoginLimitSettings.defaults(), store, Secret.of("k".repeat(32)), this.time, this::remember);
        // The first connection takes longer than a login waits, and so does the first use of the classes.
        redis.commands().hasKey("none");
        fails("nobody", ClientSource.of("203.0.113.1").orElseThrow());
        Until.until(() -> !isLost());
        changes.clear();
        this.time.waits.clear();
    }

    static LimitedNode at(int port) {
        return new LimitedNode(port, GuardTime.start());
    }

    /** A node with patience: a busy machine hears the store's answer in time. */
    static LimitedNode patient(int port) {
        return new LimitedNode(port, new SlowTime(GuardTime.start()));
    }

    /** Counts waits that lasted until their own end. */
    private static final class CountedTime implements GuardTime {

        private final GuardTime real;
        private final Queue<Duration> waits = new ConcurrentLinkedQueue<>();

        CountedTime(GuardTime real) {
            this.real = real;
        }

        @Override
        public long nanoTime() {
            return real.nanoTime();
        }

        @Override
        public WakeUp after(Duration delay, Runnable action) {
            return real.after(delay, () -> {
                waits.add(delay);
                action.run();
            });
        }

        @Override
        public void close() {
            real.close();
        }
    }

    /** The lengths of the completed waits since the start of the node. */
    List<Duration> waits() {
        return List.copyOf(time.waits);
    }

    private record SlowTime(GuardTime real) implements GuardTime {

        @Override
        public long nanoTime() {
            return real.nanoTime() / PATIENCE;
        }

        @Override
        public WakeUp after(Duration delay, Runnable action) {
            return real.after(delay.multipliedBy(PATIENCE), action);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    private void remember(GuardEvent event) {
        if (event instanceof GuardEvent.StoreLost || event instanceof GuardEvent.StoreFound) {
            changes.add(event.getClass().getSimpleName());
        }
    }

    private boolean isLost() {
        boolean isLost = changes.stream().reduce("", (before, last) -> last).equals("StoreLost");
        if (isLost) {
            fails("nobody", ClientSource.of("203.0.113.1").orElseThrow());
        }
        return isLost;
    }

    /** What was seen of the store since the node began. */
    List<String> changes() {
        return List.copyOf(changes);
    }

    /** A login with a wrong password; whether it was compared. */
    boolean fails(String account, ClientSource source) {
        return logsIn(account, source, AttemptResult.FAILED);
    }

    boolean succeeds(String account, ClientSource source) {
        return logsIn(account, source, AttemptResult.SUCCEEDED);
    }

    private boolean logsIn(String account, ClientSource source, AttemptResult result) {
        try {
            Admission admission =
                    limits.reserve(new LoginAttempt(account, source), null).get(20, TimeUnit.SECONDS);
            if (admission instanceof Admission.Admitted admitted) {
                admitted.reservation().settle(result, null);
                return true;
            }
            return false;
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        time.close();
        redis.close();
    }
}
