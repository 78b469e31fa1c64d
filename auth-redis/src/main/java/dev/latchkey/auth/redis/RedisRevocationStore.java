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
 * Revocations in Redis or Valkey, shared by all nodes. The module's README lists the keys.
 *
 * <p><b>Three keys in one slot.</b> A sorted set has the end of each revocation, by the id. A hash has the bounds of
 * subjects. Another sorted set has the content of both, in the order of recording. Each node continues reading at its
 * last position. A script writes all three keys in one step. Therefore nodes see positions in order, and no call lowers
 * a bound. The keys have no time to live, so Redis never evicts them under a policy for volatile keys.
 *
 * <p><b>Each node detects losses in Redis</b> ({@link Traces}), and restores the lost revocations from its copy.
 *
 * <p><b>Bounded.</b> A subject has at most {@value #MOST_OF_ONE} revoked tokens. A further token revokes the whole
 * subject, and the count begins again. The subject can log in again after {@link #CLOCK_DIFFERENCE}. Expired
 * revocations are deleted in batches, during revocations and reads.
 *
 * <p><b>Clocks.</b> A revocation is kept a minute longer than necessary, because the nodes' clocks differ. A revocation
 * is deleted only after its end by the node's clock and by Redis's clock. Therefore a node with a wrong clock cannot
 * delete revocations of other nodes.
 *
 * <p>Each call has a time limit, on a thread of this store. A failure is an outage, with a message without keys and
 * ids. Safe for use by any number of threads.
 */
public final class RedisRevocationStore implements SharedRevocationStore {

    /** The largest allowed difference between the clocks of two nodes. */
    static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    static final Duration KEPT_LONGER = Duration.ofMinutes(1);

    /** Redis keeps the traces of a node for this time after the last trace. */
    static final Duration TRACE_KEPT = Duration.ofMinutes(1);

    static final int MOST_OF_ONE = 1_000;
    static final int SWEPT_AT_ONCE = 500;

    /** The name of the sweep in the log. */
    static final String SWEEP = "The sweep of revocations that are over";

    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

    private final RedisCalls redis;
    private final RevocationKeys keys;
    private final Duration longestLifetime;
    private final InstantSource clock;
    private final int mostOfOne;
    private final Traces traces;

    /** No caller waits for a sweep, so the log reports its failure. */
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

    /** The same store, with other calls. */
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

    @Override
    public SharedRevocationStore forReading() {
        return new RedisRevocationStore(redis.onThreadsOfTheirOwn(), this);
    }

    /**
     * Creates a store for tokens with this longest lifetime, including the verifier's clock skew. A subject's
     * revocation is kept for the same time.
     *
     * @param connections to Redis; the caller closes the connections
     * @param longestLifetime positive
     * @param settings equal on each node
     * @return a new store with its own threads; no question is sent yet
     * @throws IllegalArgumentException if the lifetime is not positive, or Lettuce may read from a replica
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
                new RedisCalls(StoreConnections.ofThePrimary(connections), settings.deadline()),
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
        long begun = System.nanoTime();
        IdDigest owner = IdDigest.ofSubject(subjectId);
        Revocation token = RevocationText.asStored(Revocation.ofToken(tokenId, expiresAt));
        if (isOver(token) || hold(owner, token)) {
            return since(begun).record(token);
        }
        // A node with a fast clock may have issued the token with a later time.
        Revocation subject =
                since(begun).recordSubject(subjectId, clock.instant().plus(CLOCK_DIFFERENCE));
        // The subject's revocation covers the counted tokens.
        redis.later(commands -> commands.delete(keys.ofTokens(owner)));
        return subject;
    }

    /** This store for the next call of a task: both calls together have the time limit of one call. */
    private RedisRevocationStore since(long begun) {
        return new RedisRevocationStore(redis.since(begun), this);
    }

    @Override
    public Revocation recordSubject(String subjectId, Instant notBefore) {
        return record(RevocationText.asStored(Revocation.ofSubject(subjectId, notBefore, longestLifetime)));
    }

    @Override
    public Instant notBefore(String subjectId) {
        String id = RevocationText.hex(IdDigest.ofSubject(subjectId));
        String bound = ask("bound", id);
        return bound.isEmpty() ? Instant.MIN : RevocationText.boundOf(bound);
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        String id = RevocationText.hex(IdDigest.ofToken(tokenId));
        return !ask("end", id).isEmpty();
    }

    private String ask(String what, String id) {
        List<String> arguments = List.of(Long.toString(TRACE_KEPT.toMillis()), what, id);
        return redis.call(commands -> Script.ASK.run(commands, keys.ofTrace(), arguments));
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

    /** Zero: a script writes the position and the revocation in one step. */
    @Override
    public Duration lateness() {
        return Duration.ZERO;
    }

    @Override
    public long leaveTrace() {
        callWithTrace(Script.TRACE, keys.ofTrace(), List.of(Long.toString(TRACE_KEPT.toMillis())));
        sweepIfDue(clock.instant());
        return traces.losses();
    }

    /** Deletes one batch of expired revocations and returns their number. */
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
        callWithTrace(Script.RECORD, keys.ofRecord(), arguments);
    }

    /**
     * Compares the answer with the traces that the node knows when the script is sent. A call may wait for a thread
     * first. The traces from before the wait are too few: a loss of fewer traces than waiting calls would stay hidden.
     */
    private void callWithTrace(Script<Long> script, List<String> keys, List<String> arguments) {
        redis.call(commands -> {
            long known = traces.known();
            long left = script.run(commands, keys, arguments);
            traces.answered(known, left);
            return left;
        });
    }

    private boolean isOver(Revocation revocation) {
        return !revocation.until().isAfter(forgetBefore());
    }

    private Instant forgetBefore() {
        return clock.instant().minus(KEPT_LONGER);
    }

    /** Due a minute after the last sweep, or after the clock was set back. */
    private void sweepIfDue(Instant now) {
        Instant before = lastSweep.get();
        boolean isDue = Duration.between(before, now).abs().compareTo(SWEEP_INTERVAL) >= 0;
        if (isDue && lastSweep.compareAndSet(before, now)) {
            redis.later(commands -> sweeps.run(SWEEP, () -> {
                if (sweepOrOutage(now, commands) == SWEPT_AT_ONCE) {
                    // There are more: the next call continues.
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
