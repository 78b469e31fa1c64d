package dev.latchkey.auth.redis;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.store.StoredLogin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A node in a process of its own, with the same work as the other processes at once. A list in Redis has the won races. */
final class RacingProcess {

    static final int ROUNDS = 200;
    static final String GO = "go";
    static final int TOKENS = 5;
    private static final BucketPolicy BUCKET = BucketPolicy.of(
            "race", LimitWindow.of(TOKENS, Duration.ofDays(1)), LimitWindow.of(100, Duration.ofDays(2)));
    /** Later than every run, so nothing has expired. */
    static final Instant START = Instant.parse("2099-01-01T00:00:00Z");

    private RacingProcess() {}

    static Process started(int port, int number, Path log) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RacingProcess.class.getName(),
                        Integer.toString(port),
                        Integer.toString(number))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    static String wonBy(int number) {
        return "won-by-" + number;
    }

    static StoredLogin login(int round, String token) {
        Instant end = START.plus(Duration.ofHours(1));
        return new StoredLogin("f" + round, "users", "ada" + round, token, "", Set.of(), START, end, end, null);
    }

    public static void main(String[] arguments) {
        int number = Integer.parseInt(arguments[1]);
        try (TestRedis redis = TestRedis.at(Integer.parseInt(arguments[0]))) {
            RedisSettings settings = RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10));
            RedisLoginStore logins = RedisLoginStore.in(redis, settings);
            RedisRevocationStore revocations = RedisRevocationStore.in(redis, Duration.ofHours(1), settings);
            RedisBucketStore buckets = RedisBucketStore.in(redis, settings);
            redis.commands().opsForList().rightPush("ready", arguments[1]);
            Object unused = redis.commands().opsForList().leftPop(GO + number, 30, TimeUnit.SECONDS);
            for (int round = 0; round < ROUNDS; round++) {
                if (logins.replace("1", login(round, "by-" + number))) {
                    redis.commands().opsForList().rightPush(wonBy(number), "f" + round);
                }
                Instant expiry = START.plus(Duration.ofMinutes(30));
                revocations.revokeToken("t" + round, expiry);
                revocations.revokeToken("t" + round + "-" + number, expiry);
                revocations.revokeSubject("ada" + round, START.plusSeconds((number + round) % 3));
                for (int i = 0; i < TOKENS; i++) {
                    if (buckets.take(BUCKET, new BucketKey(0, round))
                            .toCompletableFuture()
                            .join()
                            .taken()) {
                        redis.commands().opsForValue().increment("taken");
                    }
                }
            }
        }
        // Threads of the driver may go on for a while.
        Runtime.getRuntime().halt(0);
    }
}
