package dev.latchkey.auth.redis;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Commands with a time limit.
 *
 * <p>The commands run on a few separate threads, because the driver may wait longer than the time limit: with the
 * service's connections, a minute or more. On separate threads, the commands also never join the caller's transaction.
 * The caller could discard its transaction after an acknowledged revocation. A command may still run after its caller
 * has stopped waiting; the caller got no acknowledgement.
 */
final class RedisCalls {

    /** Lettuce sends all commands over one connection, so more threads would only wait for the connection. */
    private static final int THREADS = 4;

    /** The limit on calls that wait for a slow Redis; further calls fail at once. */
    private static final int WAITING = 200;

    private static final int DEEPEST_CAUSE = 8;

    /**
     * Often at first: the new primary takes writes some seconds before its replicas are back, and clients retry in
     * these seconds.
     */
    private static final List<Integer> AGAIN_AFTER_SECONDS = List.of(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 60);

    /**
     * The first word of an error is its code: {@code NOPERM}, {@code OOM}, {@code READONLY}. Before Redis 7, the code
     * of a script's command follows a prefix.
     */
    private static final Pattern ERROR =
            Pattern.compile("(?:(?:ERR Error running |@user_)script.{0,200}? -)?([A-Z]{2,20}) ");

    private final StringRedisTemplate redis;
    private final Duration deadline;
    private final ThreadPoolExecutor threads;
    private final SilentConnection connection;

    RedisCalls(RedisConnectionFactory connections, Duration deadline) {
        this(connections, deadline, WAITING);
    }

    /** @param waiting the number of waiting calls; further calls fail at once */
    RedisCalls(RedisConnectionFactory connections, Duration deadline, int waiting) {
        this.redis = new StringRedisTemplate(Objects.requireNonNull(connections, "connections"));
        this.deadline = deadline;
        this.threads = threads(waiting);
        this.connection = new SilentConnection(connections, deadline.plus(StoreConnections.SILENCE));
    }

    private RedisCalls(RedisCalls all, Duration deadline, ThreadPoolExecutor threads) {
        this.redis = all.redis;
        this.deadline = deadline;
        this.threads = threads;
        this.connection = all.connection;
    }

    private static ThreadPoolExecutor threads(int waiting) {
        ThreadFactory daemons = DaemonThreads.of(RedisCalls.class, "latchkey-redis");
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(waiting), daemons);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** The same threads with a shorter time limit. */
    RedisCalls within(Duration longest) {
        return longest.compareTo(deadline) < 0 ? new RedisCalls(this, longest, threads) : this;
    }

    /** The same threads with the rest of the time limit. The argument is the value of System.nanoTime() at the begin. */
    RedisCalls since(long begun) {
        return within(deadline.minusNanos(System.nanoTime() - begun));
    }

    /** The same connection with other threads: the calls do not wait for the calls on the present threads. */
    RedisCalls onThreadsOfTheirOwn() {
        return new RedisCalls(this, deadline, threads(WAITING));
    }

    /**
     * Runs the commands and returns their answer.
     *
     * @throws AuthUnavailableException if the commands fail, or take longer than the time limit
     */
    <T extends @Nullable Object> T call(Function<StringRedisTemplate, T> commands) {
        Future<T> answer = submit(commands);
        try {
            return answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            answer.cancel(false);
            throw AuthUnavailableException.outage(
                    "Redis did not answer within " + deadline.toMillis() + " milliseconds");
        } catch (InterruptedException e) {
            answer.cancel(false);
            Thread.currentThread().interrupt();
            throw AuthUnavailableException.outage("The thread was interrupted while Redis was asked");
        } catch (ExecutionException e) {
            throw outage(Objects.requireNonNull(e.getCause()));
        }
    }

    /**
     * Starts the commands; the caller does not wait for the answer. Commands do not run if the time limit passed before
     * their turn. Fails like {@link #call}. The caller needs its own time limit, because the driver may wait without
     * end.
     */
    <T extends @Nullable Object> CompletableFuture<T> begin(Function<StringRedisTemplate, T> commands) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        long begun = System.nanoTime();
        connection.replaceIfSilent();
        try {
            threads.execute(() -> run(commands, begun, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(tooSlow(e));
        }
        return answer;
    }

    private <T extends @Nullable Object> void run(
            Function<StringRedisTemplate, T> commands, long begun, CompletableFuture<T> answer) {
        if (System.nanoTime() - begun > deadline.toNanos()) {
            answer.completeExceptionally(tooSlow(null));
            return;
        }
        T value;
        try {
            value = applied(commands);
        } catch (RuntimeException e) {
            answer.completeExceptionally(outage(e));
            return;
        } catch (Error e) {
            answer.completeExceptionally(e);
            return;
        }
        answer.complete(value);
    }

    /** Runs the commands when a thread is free. Ignores a failure, because no caller waits for the result. */
    void later(Consumer<StringRedisTemplate> commands) {
        try {
            Future<?> unused = submit(redis -> {
                commands.accept(redis);
                return true;
            });
        } catch (AuthUnavailableException e) {
            // No caller waits for the result.
        }
    }

    /**
     * Undoes a failed call that may have taken place. Runs the commands as {@link #later}, and again for a minute: in
     * a failover, the old primary may take a command and lose its effect. A call that was never sent has no effect.
     * Under load, its undoing would occupy the threads of other calls.
     *
     * @param commands may run any number of times
     */
    void undo(AuthUnavailableException failure, Consumer<StringRedisTemplate> commands) {
        if (failure.getCause() instanceof RejectedExecutionException) {
            return;
        }
        later(commands);
        for (int seconds : AGAIN_AFTER_SECONDS) {
            CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS, Runnable::run)
                    .execute(() -> later(commands));
        }
    }

    private <T extends @Nullable Object> Future<T> submit(Function<StringRedisTemplate, T> commands) {
        connection.replaceIfSilent();
        try {
            return threads.submit(() -> applied(commands));
        } catch (RejectedExecutionException e) {
            throw tooSlow(e);
        }
    }

    private <T extends @Nullable Object> T applied(Function<StringRedisTemplate, T> commands) {
        connection.begins();
        boolean isTimedOut = false;
        try {
            return commands.apply(redis);
        } catch (DataAccessException e) {
            // A pipeline's time-out is the cause of another exception.
            isTimedOut = e.contains(QueryTimeoutException.class);
            if (String.valueOf(outage(e).getMessage()).contains("(READONLY)")) {
                connection.isOfAReplica();
            }
            throw e;
        } finally {
            connection.ends(isTimedOut);
        }
    }

    private AuthUnavailableException tooSlow(@Nullable RejectedExecutionException cause) {
        return AuthUnavailableException.outage(
                "Redis is too slow: " + threads.getQueue().size() + " calls wait for it", cause);
    }

    /**
     * Exception messages may contain keys and arguments. Therefore the outage contains only the class names and Redis's
     * error code.
     */
    static AuthUnavailableException outage(Throwable failure) {
        if (failure instanceof AuthUnavailableException own) {
            return own;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        StringBuilder text = new StringBuilder("Redis failed: ");
        text.append(failure.getClass().getSimpleName());
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (depth > 0) {
                text.append(", caused by ").append(cause.getClass().getSimpleName());
            }
            if (cause.getClass().getSimpleName().startsWith("Redis")) {
                text.append(codeOf(String.valueOf(cause.getMessage())));
            }
            cause = cause.getCause();
        }
        return AuthUnavailableException.outage(text.toString());
    }

    private static String codeOf(String message) {
        // If a script's user may not call a command, the script's error loses the code.
        if (message.contains("The user executing the script can't") || message.contains("ACL failure in script")) {
            return " (NOPERM)";
        }
        Matcher error = ERROR.matcher(message);
        return error.lookingAt() ? " (" + error.group(1) + ")" : "";
    }
}
