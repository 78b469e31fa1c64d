package dev.latchkey.auth.redis;

import dev.latchkey.auth.DaemonThreads;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Finds the missing rights of a service's Redis user. Each command is tried on a temporary key, because a user with few
 * rights may not read its rights. The module's README has the whole list.
 */
public final class RedisRights {

    /** The commands that revocations and sessions need, in scripts and outside of scripts. */
    static final List<String> OF_SESSIONS = List.of(
            "TIME",
            "GET",
            "SET",
            "DEL",
            "EXISTS",
            "PTTL",
            "PEXPIRE",
            "INCR",
            "HGET",
            "HSET",
            "HDEL",
            "HGETALL",
            "ZADD",
            "ZCARD",
            "ZREM",
            "ZSCORE",
            "ZRANGE",
            "ZREVRANGE",
            "ZRANGEBYSCORE",
            "ZREMRANGEBYSCORE");

    /** The commands in the script of limits and throttles. */
    static final List<String> OF_BUCKETS = List.of("TIME", "GET", "SET", "DEL");

    private static final String KEYS = "~";

    private static final String FORBIDDEN = "NOPERM";

    private static final int DEEPEST_CAUSE = 8;

    private static final long LONGEST_SECONDS = 10;

    private static final System.Logger LOG = System.getLogger(RedisRights.class.getName());

    private RedisRights() {}

    /**
     * Asks for the missing rights, on a thread without the caller's context, and waits ten seconds at most. This also
     * opens the first connection. If Redis does not answer, the service starts all the same, and its first call reports
     * the outage.
     *
     * @param missing asks Redis by a method of this class
     * @return the missing rights; empty if Redis does not answer or the question fails
     */
    public static List<String> asked(Supplier<List<String>> missing) {
        FutureTask<List<String>> question = new FutureTask<>(missing::get);
        DaemonThreads.of(RedisRights.class, "latchkey-redis-start")
                .newThread(question)
                .start();
        try {
            return question.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(System.Logger.Level.DEBUG, "Redis was not asked for the rights of its user", e);
        }
        return List.of();
    }

    /**
     * The missing rights for revocations and sessions, and for waiting for replicas if configured.
     *
     * @param connections to Redis, as for the stores
     * @param settings of the stores
     * @return rights in the form of Redis's {@code ACL SETUSER}, such as {@code +time}; empty if no right is missing
     * @throws org.springframework.dao.DataAccessException if Redis does not answer
     */
    public static List<String> missingForSessions(RedisConnectionFactory connections, RedisSettings settings) {
        List<String> missing = missing(connections, settings, OF_SESSIONS);
        if (settings.waitForReplicas() > 0) {
            try (RedisConnection connection = connections.getConnection()) {
                add(
                        missing,
                        "+client|setname",
                        () -> connection.serverCommands().setClientName(bytes("latchkey")));
                add(
                        missing,
                        "+client|getname",
                        () -> connection.serverCommands().getClientName());
                add(missing, "+wait", () -> ConfirmedLogin.tryToWait(connection));
            }
        }
        return missing;
    }

    /**
     * The missing rights for login limits and throttles.
     *
     * @param connections to Redis, as for the stores
     * @param settings of the stores
     * @return rights in the form of Redis's {@code ACL SETUSER}, such as {@code +time}; empty if no right is missing
     * @throws org.springframework.dao.DataAccessException if Redis does not answer
     */
    public static List<String> missingForBuckets(RedisConnectionFactory connections, RedisSettings settings) {
        return missing(connections, settings, OF_BUCKETS);
    }

    private static List<String> missing(
            RedisConnectionFactory connections, RedisSettings settings, List<String> commands) {
        List<String> missing = new ArrayList<>();
        // EVAL first: afterwards the server knows the script, and EVALSHA can be tried.
        try (RedisConnection connection = connections.getConnection()) {
            add(
                    missing,
                    "+eval",
                    () -> connection
                            .scriptingCommands()
                            .eval(bytes(Script.MISSING_RIGHTS.text()), ReturnType.VALUE, 1, bytes(keyOf(settings))));
        }
        add(missing, "+evalsha", () -> {
            String answer =
                    Script.MISSING_RIGHTS.run(new StringRedisTemplate(connections), List.of(keyOf(settings)), commands);
            for (String each : answer.split(" ", -1)) {
                if (each.equals("KEYS")) {
                    missing.add(keys(settings));
                } else if (!each.isEmpty()) {
                    missing.add("+" + each.toLowerCase(Locale.ROOT));
                }
            }
        });
        return withKeysOnce(missing, settings);
    }

    /** If the key is forbidden, Redis rejects the script itself: the missing right is then the key. */
    private static void add(List<String> missing, String right, Runnable trial) {
        try {
            trial.run();
        } catch (RuntimeException e) {
            String refusal = refusalIn(e);
            if (refusal.isEmpty()) {
                throw e;
            }
            missing.add(refusal.contains(FORBIDDEN) && refusal.contains(" key") ? KEYS : right);
        }
    }

    private static List<String> withKeysOnce(List<String> missing, RedisSettings settings) {
        if (missing.contains(KEYS) || missing.contains(keys(settings))) {
            return new ArrayList<>(List.of(keys(settings)));
        }
        return missing;
    }

    private static String keys(RedisSettings settings) {
        return KEYS + settings.keyPrefix() + "*";
    }

    private static String keyOf(RedisSettings settings) {
        return settings.keyPrefix() + "rights";
    }

    /** Redis's message about a forbidden command or key, or about an unknown command; empty for any other failure. */
    private static String refusalIn(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            String message = String.valueOf(cause.getMessage());
            if (message.contains(FORBIDDEN) || message.contains("unknown command")) {
                return message;
            }
            cause = cause.getCause();
        }
        return "";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
