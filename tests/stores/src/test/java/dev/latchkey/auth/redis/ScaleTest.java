package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.core.RedisCallback;

/** The formulas of docs/how-to/scale.md, by the counts of a Redis server. */
@Timeout(60)
class ScaleTest {

    private static final int PAGE = 5_000;
    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final RedisSettings PATIENT =
            RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10));

    private static final String HASH = "0123456789abcdef0123456789abcdef0123456789a";

    private TestRedis redis;

    @BeforeEach
    void empty() {
        redis = RedisServers.single();
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 6_000, 23_000})
    void start_readsPagesOfFiveThousand_withSixtySixBytesForEachRevocation(int many) {
        RedisRevocationStore store = filled(many);
        LocalRevocations copy = LocalRevocations.of(store, LocalRevocationSettings.defaults());
        long pages = calls("zrangebyscore");
        long bytes = number("stats", "total_net_output_bytes");
        copy.refresh();
        double sent = number("stats", "total_net_output_bytes") - bytes;
        assertThat(copy.status().size()).isEqualTo(many);
        assertThat(calls("zrangebyscore") - pages).isEqualTo(many / PAGE + 1);
        int digits = Integer.toString(many).length();
        assertThat(sent / many).isCloseTo(59.0 + digits, within(5.0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 6_000, 23_000})
    void laterReading_isThreeCalls_howeverManyRevocationsThereAre(int many) {
        RedisRevocationStore store = filled(many);
        LocalRevocations copy = LocalRevocations.of(store, LocalRevocationSettings.defaults());
        // The second reading repeats the last ten thousand positions.
        copy.refresh();
        copy.refresh();
        long bounds = calls("hget");
        long pages = calls("zrangebyscore");
        long traces = calls("incr");
        long bytes = number("stats", "total_net_output_bytes");
        copy.refresh();
        assertThat(calls("hget") - bounds).isEqualTo(1);
        assertThat(calls("zrangebyscore") - pages).isEqualTo(1);
        assertThat(calls("incr") - traces).isEqualTo(1);
        // The questions of this test take the rest.
        assertThat(number("stats", "total_net_output_bytes") - bytes).isLessThan(50_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 1_000, 2_000})
    void session_takesAtMostThousandBytesOfRedis(int many) {
        RedisLoginStore logins = RedisLoginStore.in(redis, PATIENT);
        long before = number("memory", "used_memory");
        for (int i = 0; i < many; i++) {
            logins.start(session(i));
        }
        assertThat((number("memory", "used_memory") - before) / many).isBetween(400L, 1_000L);
    }

    /** The bytes on the network for a login and for a refresh, in both directions. */
    @Test
    void loginAndRefresh_takeTheBytesOfThePage() {
        RedisLoginStore logins = RedisLoginStore.in(redis, PATIENT);
        RedisRevocationStore revocations = RedisRevocationStore.in(redis, LIFETIME, PATIENT);
        StoredLogin first = session(0);
        logins.start(first);
        replaced(logins, revocations, first);
        int many = 500;
        long before = networkBytes();
        for (int i = 1; i <= many; i++) {
            logins.start(session(i));
        }
        assertThat((networkBytes() - before) / many).isBetween(600L, 950L);
        before = networkBytes();
        for (int i = 1; i <= many; i++) {
            replaced(logins, revocations, session(i));
        }
        assertThat((networkBytes() - before) / many).isBetween(1_000L, 1_700L);
    }

    private static StoredLogin session(int number) {
        Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Instant end = start.plus(Duration.ofDays(30));
        return new StoredLogin(
                "0123456789abcdef" + number,
                "users",
                "user" + number,
                HASH,
                HASH,
                Set.of("pwd"),
                start,
                end,
                end,
                null);
    }

    /** The three calls of a refresh. */
    private static void replaced(RedisLoginStore logins, RedisRevocationStore revocations, StoredLogin login) {
        StoredLogin found = logins.find(login.id()).orElseThrow();
        assertThat(revocations.notBefore(found.subjectId())).isEqualTo(Instant.MIN);
        StoredLogin next = new StoredLogin(
                found.id(),
                found.plugin(),
                found.subjectId(),
                HASH,
                found.stamp(),
                found.methods(),
                found.startedAt(),
                found.endsAt(),
                found.expiresAt(),
                new StoredLogin.Replaced(HASH, "0123456789abcdef012345", found.startedAt()));
        assertThat(logins.replace(HASH, next)).isTrue();
    }

    private long networkBytes() {
        return number("stats", "total_net_output_bytes") + number("stats", "total_net_input_bytes");
    }

    /** A store after the first sweep: the next sweep, with a command of its own, is due in a minute. */
    private RedisRevocationStore filled(int many) {
        RedisRevocationStore store = RedisRevocationStore.in(redis, LIFETIME, PATIENT);
        Instant end = Instant.now().plus(LIFETIME);
        List<Revocation> all = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            all.add(Revocation.ofToken("t" + i, end));
        }
        for (int i = 0; i < many; i += 500) {
            store.restore(all.subList(i, Math.min(many, i + 500)));
        }
        long swept = calls("time");
        assertThat(store.leaveTrace()).isZero();
        until(() -> calls("time") > swept);
        return store;
    }

    private long calls(String command) {
        String stats = info("commandstats").getProperty("cmdstat_" + command);
        return stats == null ? 0 : Long.parseLong(stats.substring("calls=".length(), stats.indexOf(',')));
    }

    private long number(String section, String name) {
        return Long.parseLong(info(section).getProperty(name));
    }

    private Properties info(String section) {
        return Objects.requireNonNull(redis.commands().execute((RedisCallback<Properties>)
                connection -> connection.serverCommands().info(section)));
    }
}
