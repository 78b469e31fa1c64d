package dev.latchkey.auth.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/**
 * Calls somebody at once when a node has recorded a revocation, so that copies are read earlier than their turn.
 *
 * <p>A message that is lost costs time and nothing else: a copy is read in its turn all the same. So nothing here is an error. A
 * subscription that does not come about is tried again every ten seconds. Safe for use by any number of threads.
 */
public final class RevocationMessages implements AutoCloseable {

    /** Longer than that nobody waits for a subscription; it may still come about. */
    private static final long LONGEST_MILLIS = 1_000;

    private static final Duration TRIED_AGAIN = Duration.ofSeconds(10);

    private final RedisMessageListenerContainer container = new RedisMessageListenerContainer();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(RevocationMessages::daemon);

    private RevocationMessages(RedisConnectionFactory connections, RedisSettings settings, Runnable onRecorded) {
        container.setConnectionFactory(connections);
        container.setMaxSubscriptionRegistrationWaitingTime(LONGEST_MILLIS);
        container.setRecoveryInterval(LONGEST_MILLIS);
        // What is called only leaves a note, so the driver's thread does it; subscribing may take long.
        container.setTaskExecutor(Runnable::run);
        container.setSubscriptionExecutor(task -> daemon(task).start());
        container.addMessageListener(
                (message, pattern) -> onRecorded.run(), ChannelTopic.of(RevocationKeys.channel(settings.keyPrefix())));
        container.afterPropertiesSet();
    }

    /**
     * Messages of the stores with these settings, from {@link #start} on.
     *
     * @param connections to Redis, one of which is kept for the messages
     * @param settings those of the stores, whose keys tell the channel
     * @param onRecorded called on a thread of the driver, which it must not hold up
     * @return messages that do not come before they were started
     */
    public static RevocationMessages of(
            RedisConnectionFactory connections, RedisSettings settings, Runnable onRecorded) {
        Objects.requireNonNull(connections, "connections");
        Objects.requireNonNull(onRecorded, "onRecorded");
        return new RevocationMessages(connections, settings, onRecorded);
    }

    /** Subscribes, and does so again where that fails; returns at once. */
    public void start() {
        Future<?> unused = thread.scheduleWithFixedDelay(this::listen, 0, TRIED_AGAIN.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void listen() {
        if (container.isListening()) {
            return;
        }
        try {
            container.stop();
            container.start();
        } catch (RuntimeException e) {
            // Redis does not answer, or does not let this user subscribe.
        }
    }

    /**
     * Whether messages come; false where that is not known yet.
     *
     * @return {@code true} while the subscription holds, as far as the driver has noticed
     */
    public boolean isListening() {
        return container.isListening();
    }

    /** Unsubscribes, for good. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            container.destroy();
        } catch (Exception e) {
            // There is nothing to unsubscribe from.
        }
    }

    private static Thread daemon(Runnable task) {
        Thread made = new Thread(task, "latchkey-redis-messages");
        made.setDaemon(true);
        return made;
    }
}
