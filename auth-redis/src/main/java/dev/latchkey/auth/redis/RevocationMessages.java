package dev.latchkey.auth.redis;

import dev.latchkey.auth.DaemonThreads;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/**
 * Calls a listener at once when a node has recorded a revocation, so that copies are read early.
 *
 * <p>A lost message only costs time: the nodes still read at their usual interval. Therefore no failure here is an
 * error. A failed subscription is tried again every ten seconds. Lettuce has no subscriptions for a fixed list of a primary
 * and replicas; there is no message then. Safe for use by any number of threads.
 */
public final class RevocationMessages implements AutoCloseable {

    /** The longest wait for a subscription, which may still succeed later. */
    private static final long LONGEST_MILLIS = 1_000;

    private static final System.Logger LOG = System.getLogger(RevocationMessages.class.getName());

    private static final Duration TRIED_AGAIN = Duration.ofSeconds(10);

    private static final int DEEPEST_CAUSE = 10;

    private static final ThreadFactory THREADS = DaemonThreads.of(RevocationMessages.class, "latchkey-redis-messages");

    private final RedisMessageListenerContainer container = new RedisMessageListenerContainer();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(THREADS);

    private final RedisConnectionFactory connections;
    private final String channel;

    private RevocationMessages(RedisConnectionFactory connections, RedisSettings settings, Runnable onRecorded) {
        this.connections = connections;
        this.channel = RevocationKeys.channel(settings.keyPrefix());
        container.setConnectionFactory(connections);
        container.setMaxSubscriptionRegistrationWaitingTime(LONGEST_MILLIS);
        container.setRecoveryInterval(LONGEST_MILLIS);
        // The listener only sets a flag, so the driver's thread may run the listener. Subscribing may take long, so a
        // separate thread subscribes.
        container.setTaskExecutor(Runnable::run);
        container.setSubscriptionExecutor(task -> THREADS.newThread(task).start());
        container.addMessageListener((message, pattern) -> onRecorded.run(), ChannelTopic.of(channel));
        container.afterPropertiesSet();
    }

    /**
     * Creates messages for the stores with these settings, active after {@link #start}.
     *
     * @param connections to Redis; one connection is kept for the messages
     * @param settings of the stores, for the channel's name
     * @param onRecorded called on a thread of the driver; must not block
     * @return messages that are not started
     */
    public static RevocationMessages of(
            RedisConnectionFactory connections, RedisSettings settings, Runnable onRecorded) {
        Objects.requireNonNull(connections, "connections");
        Objects.requireNonNull(onRecorded, "onRecorded");
        return new RevocationMessages(connections, settings, onRecorded);
    }

    /** Subscribes, and retries after a failure; returns at once. */
    public void start() {
        Future<?> unused = thread.scheduleWithFixedDelay(this::listen, 0, TRIED_AGAIN.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void listen() {
        if (container.isListening()) {
            return;
        }
        if (isUnsupported()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "These connections to Redis have no subscriptions, so nodes read revocations at their usual interval");
            thread.shutdown();
            return;
        }
        try {
            container.stop();
            container.start();
        } catch (RuntimeException e) {
            // Redis does not answer, or does not allow the subscription.
        }
    }

    /** Spring Data's container would try again without an end, and log each failure. With another driver, a trial would block. */
    private boolean isUnsupported() {
        if (!(connections instanceof LettuceConnectionFactory)) {
            return false;
        }
        try (RedisConnection trial = connections.getConnection()) {
            trial.subscribe((message, pattern) -> {}, channel.getBytes(StandardCharsets.UTF_8));
            return false;
        } catch (RuntimeException e) {
            // A pool of connections wraps the exception once more.
            return Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                    .limit(DEEPEST_CAUSE)
                    .anyMatch(UnsupportedOperationException.class::isInstance);
        }
    }

    /**
     * Whether messages arrive; false if unknown.
     *
     * @return {@code true} while the driver considers the subscription active
     */
    public boolean isListening() {
        return container.isListening();
    }

    /** Whether no subscription is tried any more. */
    boolean isOver() {
        return thread.isShutdown();
    }

    /** Unsubscribes permanently. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            container.destroy();
        } catch (Exception e) {
            // Without a subscription, there is nothing to end.
        }
    }
}
