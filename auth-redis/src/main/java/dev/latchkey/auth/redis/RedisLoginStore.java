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
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Logins in Redis or Valkey, which all nodes share; the module's README says what is under which key.
 *
 * <p><b>A hash for each login</b>, at the digest of its id, which Redis deletes when the login is over; and a sorted set for each account, with the digests
 * of its logins in the order in which they began. Each lies in a slot of its own, so a Cluster spreads them. A login is replaced by a script that compares and
 * writes in one step.
 *
 * <p><b>Two keys without a lock.</b> A login is written first and listed then, and its start returns after both: whose start returned is in the list. One that
 * is not in the list was never told to anybody. A list may name logins that have ended; who reads it leaves them out.
 *
 * <p><b>What a failover may lose.</b> Redis answers before its replicas have it, so the last changes may be gone with the primary: a refresh token that was used is
 * good once more, a login that ended goes on. {@link RedisSettings#waitForReplicas()} makes a change return when so many {@link Replicas} have it. One that fails for want
 * of them may have taken place, as with every outage.
 *
 * <p><b>A replacement that nobody was told of.</b> A call that ends in an outage may have replaced a token all the same, and its owner knows the one before it only. So each
 * who puts a token there is named beside it, and takes the name away where its call has failed. Where none is left, nobody has that token, and the one before it is as
 * good as one that was never used: the login is found as one that was replaced just now, however long ago it was. A name that could not be taken away, since Redis was not there to do it, leaves
 * the time of the replacement.
 *
 * <p>An account has {@value #MOST_OF_OWNER} logins, of which the oldest makes room. A login is kept a minute longer than this node's clock says.
 *
 * <p>Each call has a deadline, on a thread of this store. What goes wrong is an outage, whose message has neither keys nor ids. Safe for use by any number of
 * threads.
 */
public final class RedisLoginStore implements LoginStore {

    private final RedisCalls redis;

    /** Where replicas are awaited, these have threads of their own: one that is missing holds up changes, and nobody who only looks. */
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
     * A store in this Redis.
     *
     * @param connections to Redis, which stay the caller's to close
     * @param settings the same on each node
     * @return a store of its own, with its own threads; nothing is asked of Redis yet
     * @throws IllegalArgumentException if replicas are to be waited for, and this is a Cluster, or its driver is not Lettuce
     */
    public static RedisLoginStore in(RedisConnectionFactory connections, RedisSettings settings) {
        return in(connections, settings, InstantSource.system());
    }

    static RedisLoginStore in(RedisConnectionFactory connections, RedisSettings settings, InstantSource clock) {
        return new RedisLoginStore(connections, settings, clock);
    }

    /** @throws IllegalArgumentException if one of its texts is no text, or has more than 65,535 bytes */
    @Override
    public void start(StoredLogin login) {
        IdDigest id = LoginFields.digestOf(login.id());
        List<String> arguments = arguments(login, "new", "", "");
        String list = listOf(LoginFields.digestOf(login.owner()));
        String listKept = TimeToLive.millis(clock.instant(), login.endsAt());
        changes.call(commands -> {
            Script.KEEP_LOGIN.run(commands, List.of(keyOf(id)), arguments);
            long listed = Script.LIST_LOGIN.run(commands, List.of(list), List.of(RevocationText.hex(id), listKept));
            replicas.awaitStarted(keyOf(id), login.tokenHash(), list, RevocationText.hex(id));
            return listed > MOST_OF_OWNER ? forgetOldest(list, commands) : 0;
        });
    }

    /** In the order of the account's list, which no clock changes. */
    @Override
    public List<StoredLogin> ofOwner(StoredLogin.Owner owner) {
        String list = listOf(LoginFields.digestOf(owner));
        Instant now = clock.instant();
        return redis.call(commands -> {
            List<StoredLogin> logins = new ArrayList<>();
            for (String id : digests(commands.opsForZSet().reverseRange(list, 0, -1))) {
                read(commands, keyOf(id))
                        .filter(login -> logins.size() < MOST_OF_OWNER && now.isBefore(login.expiresAt()))
                        .ifPresent(logins::add);
            }
            return logins;
        });
    }

    @Override
    public Optional<StoredLogin> find(String id) {
        String key = keyOf(LoginFields.digestOf(id));
        return redis.call(commands -> read(commands, key));
    }

    /** @throws IllegalArgumentException if one of its texts is no text, or has more than 65,535 bytes */
    @Override
    public boolean replace(String expectedTokenHash, StoredLogin next) {
        String mode = expectedTokenHash.equals(next.tokenHash()) ? "repeats" : "replaces";
        String teller = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        List<String> arguments = arguments(next, mode, LoginFields.requireText(expectedTokenHash), teller);
        String key = keyOf(LoginFields.digestOf(next.id()));
        try {
            return changes.call(commands -> Script.KEEP_LOGIN.run(commands, List.of(key), arguments) > 0
                    && replicas.awaitReplaced(key, next.tokenHash()));
        } catch (AuthUnavailableException e) {
            redis.later(commands -> Script.NOT_TOLD.run(commands, List.of(key), List.of(next.tokenHash(), teller)));
            throw e;
        }
    }

    @Override
    public boolean end(String id) {
        IdDigest digest = LoginFields.digestOf(id);
        String owner = changes.call(commands -> {
            String found = Script.END_LOGIN.run(commands, List.of(keyOf(digest)), List.of());
            // Also where it was gone: perhaps somebody was not told that it ended, and asks again.
            replicas.awaitEnded(keyOf(digest));
            return found;
        });
        if (owner.isEmpty()) {
            return false;
        }
        redis.later(commands -> commands.opsForZSet().remove(listOf(owner), RevocationText.hex(digest)));
        return true;
    }

    private List<String> arguments(StoredLogin login, String mode, String expectedTokenHash, String teller) {
        List<String> arguments = new ArrayList<>();
        arguments.add(TimeToLive.millis(clock.instant(), login.expiresAt()));
        arguments.add(mode);
        arguments.add(expectedTokenHash);
        arguments.add(teller);
        LoginFields.addTo(arguments, login);
        return arguments;
    }

    private Optional<StoredLogin> read(StringRedisTemplate commands, String key) {
        Map<Object, Object> fields = commands.opsForHash().entries(key);
        return fields.isEmpty() ? Optional.empty() : Optional.of(LoginFields.parse(fields, clock.instant()));
    }

    /** Leaves so many in the list: those that are over go first, and then the oldest. How many logins were forgotten. */
    private int forgetOldest(String list, StringRedisTemplate commands) {
        List<String> oldestFirst = new ArrayList<>(digests(commands.opsForZSet().range(list, 0, -1)));
        Iterator<String> each = oldestFirst.iterator();
        while (oldestFirst.size() > MOST_OF_OWNER && each.hasNext()) {
            String id = each.next();
            if (!Boolean.TRUE.equals(commands.hasKey(keyOf(id)))) {
                commands.opsForZSet().remove(list, id);
                each.remove();
            }
        }
        List<String> tooMany = oldestFirst.subList(0, Math.max(0, oldestFirst.size() - MOST_OF_OWNER));
        for (String id : tooMany) {
            commands.delete(keyOf(id));
            commands.opsForZSet().remove(list, id);
        }
        return tooMany.size();
    }

    private static Set<String> digests(@Nullable Set<String> members) {
        return members == null ? Set.of() : members;
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
