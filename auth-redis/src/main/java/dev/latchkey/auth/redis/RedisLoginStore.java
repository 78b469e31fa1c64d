package dev.latchkey.auth.redis;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Sessions in Redis or Valkey, shared by all nodes. The module's README lists the keys.
 *
 * <p><b>One hash for each session</b>, at the digest of its id; Redis deletes the hash after the session expires. One
 * sorted set for each account contains the digests of its sessions, in the order of their start. Each key has its own
 * slot, so a Cluster distributes the keys. One script compares and replaces a session in one step.
 *
 * <p><b>Two keys without a lock.</b> A session is first written and then listed, and its start returns after both.
 * Therefore each started session is in the list. A session outside the list was never sent to a client. A list may
 * contain ended sessions, and readers ignore them.
 *
 * <p><b>Possible losses in a failover.</b> Redis answers before its replicas have a change, so the last changes may be
 * lost with the primary. A used refresh token may then work again, and an ended session may continue. With
 * {@link RedisSettings#waitForReplicas()}, a change returns only after this number of {@link Replicas} has the change.
 * A change that fails without enough replicas may still have taken place, as in every outage. The node deletes a
 * session whose start failed, also if the start takes place later.
 *
 * <p><b>A replacement unknown to every client.</b> A call may replace a token and still end in an outage, and the
 * client then knows only the old token. Therefore each write of a token stores a random name in the session, and the
 * node removes the name after a failed call. If no name is left, no client has the new token, and the old token counts
 * as unused: {@link #find} returns the session as replaced just now. The node repeats the removal for a minute, because
 * an old primary may lose the removal in a failover. If Redis was unavailable all this time, the stored time of the
 * replacement applies.
 *
 * <p><b>No session from a replica.</b> Before their reads, {@link #find} and {@link #ofOwner} send a write without an
 * effect. A demoted primary rejects the write, and the call is an outage. With the old data, tokens of the new primary's
 * sessions would be rejected, and the list would lack these sessions.
 *
 * <p>An account has at most {@value #MOST_OF_OWNER} sessions; a new session replaces the oldest. A session is kept a
 * minute longer than this node's clock requires.
 *
 * <p>Each call has a time limit, on a thread of this store. A failure is an outage, with a message without keys and
 * ids. Safe for use by any number of threads.
 */
public final class RedisLoginStore implements LoginStore {

    private final RedisCalls redis;

    /** With waiting for replicas, changes have separate threads: a missing replica then delays only changes. */
    private final RedisCalls changes;

    private final Replicas replicas;
    private final String keyPrefix;
    private final InstantSource clock;

    private RedisLoginStore(RedisConnectionFactory connections, RedisSettings settings, InstantSource clock) {
        this.replicas = Replicas.of(connections, settings);
        this.redis = new RedisCalls(connections, settings.deadline());
        this.changes = replicas.areAwaited() ? new RedisCalls(connections, settings.deadline()) : redis;
        this.keyPrefix = settings.keyPrefix();
        this.clock = clock;
    }

    private RedisLoginStore(
            RedisCalls redis, RedisCalls changes, Replicas replicas, String keyPrefix, InstantSource clock) {
        this.redis = redis;
        this.changes = changes;
        this.replicas = replicas;
        this.keyPrefix = keyPrefix;
        this.clock = clock;
    }

    @Override
    public LoginStore within(Duration longest) {
        return new RedisLoginStore(
                redis.within(longest), changes.within(longest), replicas.within(longest), keyPrefix, clock);
    }

    /**
     * Creates a store in this Redis.
     *
     * @param connections to Redis; the caller closes the connections
     * @param settings equal on each node
     * @return a new store with its own threads; no question is sent yet
     * @throws IllegalArgumentException if Lettuce may read from a replica; if the settings require waiting for replicas,
     *     and Redis is a Cluster or the driver is not Lettuce
     */
    public static RedisLoginStore in(RedisConnectionFactory connections, RedisSettings settings) {
        return in(connections, settings, InstantSource.system());
    }

    static RedisLoginStore in(RedisConnectionFactory connections, RedisSettings settings, InstantSource clock) {
        return new RedisLoginStore(StoreConnections.ofThePrimary(connections), settings, clock);
    }

    /** @throws IllegalArgumentException if a text is malformed, or has more than 65,535 bytes */
    @Override
    public void start(StoredLogin login) {
        IdDigest id = IdDigest.ofLogin(login.id());
        List<String> arguments = arguments(login, "new", "", "");
        String list = listOf(IdDigest.ofOwner(login.subjectId()));
        String listKept = TimeToLive.millis(clock.instant(), login.endsAt());
        try {
            changes.call(commands -> {
                Script.KEEP_LOGIN.run(commands, List.of(keyOf(id)), arguments);
                long listed = Script.LIST_LOGIN.run(commands, List.of(list), List.of(RevocationText.hex(id), listKept));
                replicas.awaitStarted(keyOf(id), login.tokenHash(), list, RevocationText.hex(id));
                return listed > MOST_OF_OWNER ? forgetOldest(list, commands) : 0;
            });
        } catch (AuthUnavailableException e) {
            // A session that no client received would count against its account's limit.
            redis.undo(e, commands -> forget(RevocationText.hex(id), list, commands));
            throw e;
        }
    }

    /** In the order of the account's list, which does not depend on clocks. */
    @Override
    public List<StoredLogin> ofOwner(String subjectId) {
        String list = listOf(IdDigest.ofOwner(subjectId));
        Instant now = clock.instant();
        return redis.call(commands -> {
            // As in find: a demoted primary rejects this write.
            commands.opsForZSet().remove(list, "none");
            List<String> newestFirst = digests(commands.opsForZSet().reverseRange(list, 0, -1));
            return LoginReads.fields(commands, keysOf(newestFirst)).stream()
                    .flatMap(fields -> parsed(fields).stream())
                    .filter(login -> now.isBefore(login.expiresAt()))
                    .limit(MOST_OF_OWNER)
                    .toList();
        });
    }

    @Override
    public Optional<StoredLogin> find(String id) {
        String key = keyOf(IdDigest.ofLogin(id));
        return redis.call(commands -> {
            // A demoted primary has old data, and rejects this write. At the primary, the write has no effect.
            commands.opsForHash().delete(key, "none");
            return parsed(commands.opsForHash().entries(key));
        });
    }

    /** @throws IllegalArgumentException if a text is malformed, or has more than 65,535 bytes */
    @Override
    public boolean replace(String expectedTokenHash, StoredLogin next) {
        String mode = expectedTokenHash.equals(next.tokenHash()) ? "repeats" : "replaces";
        String sender = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        List<String> arguments = arguments(next, mode, LoginFields.requireText(expectedTokenHash), sender);
        String key = keyOf(IdDigest.ofLogin(next.id()));
        try {
            return changes.call(commands -> Script.KEEP_LOGIN.run(commands, List.of(key), arguments) > 0
                    && replicas.awaitReplaced(key, next.tokenHash()));
        } catch (AuthUnavailableException e) {
            redis.undo(e, commands -> Script.NOT_SENT.run(commands, List.of(key), List.of(next.tokenHash(), sender)));
            throw e;
        }
    }

    @Override
    public boolean end(String id) {
        IdDigest digest = IdDigest.ofLogin(id);
        String owner = changes.call(commands -> {
            String found = Script.END_LOGIN.run(commands, List.of(keyOf(digest)), List.of());
            // Also for a missing session: an earlier call may have ended the session, and its answer was lost.
            replicas.awaitEnded(keyOf(digest));
            return found;
        });
        if (owner.isEmpty()) {
            return false;
        }
        redis.later(commands -> commands.opsForZSet().remove(listOf(owner), RevocationText.hex(digest)));
        return true;
    }

    private List<String> arguments(StoredLogin login, String mode, String expectedTokenHash, String sender) {
        List<String> arguments = new ArrayList<>();
        arguments.add(TimeToLive.millis(clock.instant(), login.expiresAt()));
        arguments.add(mode);
        arguments.add(expectedTokenHash);
        arguments.add(sender);
        LoginFields.addTo(arguments, login);
        return arguments;
    }

    private Optional<StoredLogin> parsed(Map<Object, Object> fields) {
        return fields.isEmpty() ? Optional.empty() : Optional.of(LoginFields.parse(fields, clock.instant()));
    }

    /** Shortens the list: first removes ended sessions, then the oldest. Returns the number of deleted sessions. */
    private int forgetOldest(String list, StringRedisTemplate commands) {
        List<String> oldestFirst = digests(commands.opsForZSet().range(list, 0, -1));
        List<Boolean> arePresent = LoginReads.arePresent(commands, keysOf(oldestFirst));
        List<String> present = new ArrayList<>();
        List<String> ended = new ArrayList<>();
        for (int i = 0; i < oldestFirst.size(); i++) {
            (arePresent.get(i) ? present : ended).add(oldestFirst.get(i));
        }
        if (!ended.isEmpty()) {
            commands.opsForZSet().remove(list, ended.toArray());
        }
        List<String> tooMany = present.subList(0, Math.max(0, present.size() - MOST_OF_OWNER));
        tooMany.forEach(id -> forget(id, list, commands));
        return tooMany.size();
    }

    private void forget(String id, String list, StringRedisTemplate commands) {
        commands.delete(keyOf(id));
        commands.opsForZSet().remove(list, id);
    }

    private static List<String> digests(@Nullable Set<String> members) {
        return members == null ? List.of() : List.copyOf(members);
    }

    private List<String> keysOf(List<String> ids) {
        return ids.stream().map(this::keyOf).toList();
    }

    private String keyOf(IdDigest id) {
        return keyOf(RevocationText.hex(id));
    }

    private String keyOf(String id) {
        return keyPrefix + "login:{" + id + "}";
    }

    private String listOf(IdDigest owner) {
        return listOf(RevocationText.hex(owner));
    }

    private String listOf(String owner) {
        return keyPrefix + "logins-of:{" + owner + "}";
    }
}
