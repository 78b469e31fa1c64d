package dev.latchkey.auth.redis;

import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

/**
 * Revocations in Redis or Valkey, which all nodes share; the module's README says what is under which key.
 *
 * <p><b>Three keys in one slot.</b> A sorted set has the end of each revocation, by its id; a hash the bounds of subjects; another sorted set what both say, in the order
 * in which it was recorded, from which a node reads on. A script writes all three in one step, so positions are seen in their order and no call
 * lowers a bound. They have no time to live: Redis evicts nothing of them where it evicts what has one.
 *
 * <p><b>What Redis loses is noticed</b> by each node that knew it ({@link Traces}), and given back from its copy.
 *
 * <p><b>Bounded.</b> A subject has {@value #MOST_OF_ONE} tokens; after that a revocation of the subject stands for the next ones: it has to log
 * in again, and not before {@link #CLOCK_DIFFERENCE} is over. What is over is forgotten a batch at a time, on the way of revocations and readings.
 *
 * <p><b>Clocks.</b> A revocation is kept a minute longer than it matters, since clocks of nodes differ; and it leaves only where it is over by the node's clock and by
 * Redis's, so that a node whose clock is wrong makes others forget nothing.
 *
 * <p>Each call has a deadline, on a thread of this store. What goes wrong is an outage, whose message has neither keys nor ids. Safe for
 * use by any number of threads.
 */
public final class RedisRevocationStore implements SharedRevocationStore {

    /** How far the clocks of two nodes may be apart. */
    static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    static final Duration KEPT_LONGER = Duration.ofMinutes(1);

    /** For how long a node's traces are there after its last one. */
    static final Duration TRACE_KEPT = Duration.ofMinutes(1);

    static final int MOST_OF_ONE = 1_000;
    static final int SWEPT_AT_ONCE = 500;

    /** Its name in the log. */
    static final String SWEEP = "The sweep of revocations that are over";

    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

    private final RedisCalls redis;
    private final RevocationKeys keys;
    private final Duration longestLifetime;
    private final InstantSource clock;
    private final int mostOfOne;
    private final Traces traces;

    /** Nobody waits for a sweep, so its failure would be told nobody. */
    private final OutageLog sweeps;

    private final AtomicReference<Instant> lastSweep;

    private RedisRevocationStore(
            RedisCalls redis, RevocationKeys keys, Duration longestLifetime, InstantSource clock, int mostOfOne) {
        if (longestLifetime.isNegative() || longestLifetime.isZero()) {
            throw new IllegalArgumentException(
                    "The longest lifetime of a token must be positive, got " + longestLifetime);
        }
        this.redis = redis;
        this.keys = keys;
        this.longestLifetime = longestLifetime;
        this.clock = clock;
        this.mostOfOne = mostOfOne;
        this.sweeps = OutageLog.ofStores(clock);
        this.traces = new Traces();
        this.lastSweep = new AtomicReference<>(Instant.MIN);
    }

    /** The same store, with calls of its own. */
    private RedisRevocationStore(RedisCalls redis, RedisRevocationStore of) {
        this.redis = redis;
        this.keys = of.keys;
        this.longestLifetime = of.longestLifetime;
        this.clock = of.clock;
        this.mostOfOne = of.mostOfOne;
        this.sweeps = of.sweeps;
        this.traces = of.traces;
        this.lastSweep = of.lastSweep;
    }

    @Override
    public SharedRevocationStore within(Duration longest) {
        return new RedisRevocationStore(redis.within(longest), this);
    }

    /**
     * A store for tokens that are accepted no longer than this after they were issued, their verifier's clock skew
     * included; a subject's revocation is kept for as long.
     *
     * @param connections to Redis, which stay the caller's to close
     * @param longestLifetime positive
     * @param settings the same on each node
     * @return a store of its own, with its own threads; nothing is asked of Redis yet
     * @throws IllegalArgumentException if the lifetime is not positive
     */
    public static RedisRevocationStore in(
            RedisConnectionFactory connections, Duration longestLifetime, RedisSettings settings) {
        return in(connections, longestLifetime, settings, InstantSource.system(), MOST_OF_ONE);
    }

    static RedisRevocationStore in(
            RedisConnectionFactory connections,
            Duration longestLifetime,
            RedisSettings settings,
            InstantSource clock,
            int mostOfOne) {
        String node = UUID.randomUUID().toString();
        return new RedisRevocationStore(
                new RedisCalls(connections, settings.deadline()),
                new RevocationKeys(settings.keyPrefix(), node),
                longestLifetime,
                clock,
                mostOfOne);
    }

    @Override
    public Revocation recordToken(String tokenId, Instant expiresAt) {
        return record(RevocationText.asStored(Revocation.ofToken(tokenId, expiresAt)));
    }

    @Override
    public Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        IdDigest owner = IdDigest.ofSubject(subjectId);
        Revocation token = RevocationText.asStored(Revocation.ofToken(tokenId, expiresAt));
        if (isOver(token) || hold(owner, token)) {
            return record(token);
        }
        // The token may have been dated by a node whose clock is ahead.
        return recordSubject(subjectId, clock.instant().plus(CLOCK_DIFFERENCE));
    }

    @Override
    public Revocation recordSubject(String subjectId, Instant notBefore) {
        return record(RevocationText.asStored(Revocation.ofSubject(subjectId, notBefore, longestLifetime)));
    }

    @Override
    public Instant notBefore(String subjectId) {
        String id = RevocationText.hex(IdDigest.ofSubject(subjectId));
        Object bound = redis.call(commands -> commands.opsForHash().get(keys.bounds(), id));
        return bound == null ? Instant.MIN : RevocationText.boundOf(bound.toString());
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        String id = RevocationText.hex(IdDigest.ofToken(tokenId));
        return redis.call(commands -> commands.opsForZSet().score(keys.ends(), id) != null);
    }

    @Override
    public List<Recorded> recordedAfter(long position, int most) {
        return redis.call(commands -> recorded(commands.opsForZSet()
                .rangeByScoreWithScores(keys.order(), position + 1.0, Double.POSITIVE_INFINITY, 0, most)));
    }

    @Override
    public void restore(List<Revocation> lost) {
        write(lost);
    }

    /** None: a script writes the position and the revocation in one step. */
    @Override
    public Duration lateness() {
        return Duration.ZERO;
    }

    @Override
    public long leaveTrace() {
        long known = traces.known();
        long left = redis.call(
                commands -> Script.TRACE.run(commands, keys.ofTrace(), List.of(Long.toString(TRACE_KEPT.toMillis()))));
        traces.answered(known, left);
        sweepIfDue(clock.instant());
        return traces.losses();
    }

    /** Forgets one batch of revocations that are over; how many those were. */
    int sweep() {
        Instant now = clock.instant();
        return redis.call(commands -> sweep(now, commands));
    }

    private static List<Recorded> recorded(@Nullable Set<TypedTuple<String>> page) {
        List<Recorded> recorded = new ArrayList<>();
        for (TypedTuple<String> each : page == null ? Set.<TypedTuple<String>>of() : page) {
            Double at = Objects.requireNonNull(each.getScore(), "an element of a sorted set has a score");
            String text = Objects.requireNonNull(each.getValue(), "and a member");
            recorded.add(new Recorded(at.longValue(), RevocationText.parse(text)));
        }
        return recorded;
    }

    private boolean hold(IdDigest owner, Revocation token) {
        List<String> arguments = List.of(
                RevocationText.textOf(forgetBefore()),
                Integer.toString(mostOfOne),
                RevocationText.hex(token.id()),
                RevocationText.textOf(token.until()),
                TimeToLive.millis(clock.instant(), token.until()));
        return redis.call(commands -> Script.HOLD.run(commands, keys.ofTokens(owner), arguments) > 0);
    }

    private Revocation record(Revocation revocation) {
        if (!isOver(revocation)) {
            write(List.of(revocation));
            sweepIfDue(clock.instant());
        }
        return revocation;
    }

    private void write(List<Revocation> revocations) {
        List<String> arguments = new ArrayList<>(2 + 3 * revocations.size());
        arguments.add(RevocationKeys.channel(keys.prefix()));
        arguments.add(Long.toString(TRACE_KEPT.toMillis()));
        revocations.forEach(each -> RevocationText.addTo(arguments, each));
        long known = traces.known();
        long left = redis.call(commands -> Script.RECORD.run(commands, keys.ofRecord(), arguments));
        traces.answered(known, left);
    }

    private boolean isOver(Revocation revocation) {
        return !revocation.until().isAfter(forgetBefore());
    }

    private Instant forgetBefore() {
        return clock.instant().minus(KEPT_LONGER);
    }

    /** A minute after the last one, and where the clock was set back since. */
    private void sweepIfDue(Instant now) {
        Instant before = lastSweep.get();
        boolean isDue = Duration.between(before, now).abs().compareTo(SWEEP_INTERVAL) >= 0;
        if (isDue && lastSweep.compareAndSet(before, now)) {
            redis.later(commands -> sweeps.run(SWEEP, () -> {
                if (sweepOrOutage(now, commands) == SWEPT_AT_ONCE) {
                    // There are more: the next call goes on.
                    lastSweep.set(Instant.MIN);
                }
            }));
        }
    }

    private int sweepOrOutage(Instant now, StringRedisTemplate commands) {
        try {
            return sweep(now, commands);
        } catch (RuntimeException e) {
            throw RedisCalls.outage(e);
        }
    }

    private int sweep(Instant now, StringRedisTemplate commands) {
        List<String> arguments = List.of(
                RevocationText.textOf(now), Long.toString(KEPT_LONGER.toSeconds()), Integer.toString(SWEPT_AT_ONCE));
        return Script.SWEEP.run(commands, keys.ofSweep(), arguments).intValue();
    }
}
