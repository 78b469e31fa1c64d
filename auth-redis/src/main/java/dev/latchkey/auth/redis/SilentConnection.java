package dev.latchkey.auth.redis;

import java.time.Duration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

/**
 * Replaces Lettuce's connection if running commands get no answer for long. A network that drops a connection without a
 * word would otherwise hold the commands until TCP gives up, a quarter of an hour by default. Safe for use by any number
 * of threads.
 */
final class SilentConnection {

    private final RedisConnectionFactory connections;
    private final long longestNanos;
    private int running;
    private long progressAt;

    /** @param longest without an answer to any command */
    SilentConnection(RedisConnectionFactory connections, Duration longest) {
        this.connections = connections;
        this.longestNanos = longest.toNanos();
    }

    synchronized void begins() {
        if (running == 0) {
            progressAt = System.nanoTime();
        }
        running++;
    }

    synchronized void ends() {
        running--;
        progressAt = System.nanoTime();
    }

    /** Ends the commands of a silent connection; the next command opens another connection. Returns at once. */
    void replaceIfSilent() {
        if (isSilent() && connections instanceof LettuceConnectionFactory lettuce) {
            // A command that opens a connection holds the driver's lock.
            Thread thread = new Thread(() -> replace(lettuce), "latchkey-redis-silent");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void replace(LettuceConnectionFactory lettuce) {
        if (lettuce.getClientConfiguration() instanceof LettucePoolingClientConfiguration) {
            // The pool gets the silent connection back, and would lend the same connection again.
            lettuce.stop();
            lettuce.start();
        } else {
            lettuce.resetConnection();
        }
    }

    private synchronized boolean isSilent() {
        long now = System.nanoTime();
        boolean isSilent = running > 0 && now - progressAt > longestNanos;
        if (isSilent) {
            progressAt = now;
        }
        return isSilent;
    }
}
