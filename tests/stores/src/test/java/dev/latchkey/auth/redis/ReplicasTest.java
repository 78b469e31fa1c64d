package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.StoredLogin;
import dev.latchkey.testsupport.CuttingProxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;

/** Changes of sessions that wait for a replica: present, slow, or missing. */
@Timeout(120)
class ReplicasTest {

    /** Later than any run of this. */
    private static final Instant END = Instant.parse("2099-01-01T00:00:00Z");

    /** Half for the replica, and half for a busy machine. */
    private static final RedisSettings ONE_REPLICA =
            RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(8)).withWaitForReplicas(1);

    private static final RedisSettings IMPATIENT = ONE_REPLICA.withDeadline(Duration.ofMillis(600));

    @TempDir
    private Path folder;

    private RedisProcess primary;
    private RedisProcess replica;
    private TestRedis redis;

    @BeforeEach
    void start() throws Exception {
        primary = RedisProcess.started(Files.createDirectory(folder.resolve("primary")));
        replica = RedisProcess.started(Files.createDirectory(folder.resolve("replica")));
        replica.follow(primary);
        until(() -> replica.info("replication").contains("master_link_status:up"));
        redis = TestRedis.at(primary.port());
    }

    @AfterEach
    void stop() {
        redis.close();
        replica.close();
        primary.close();
    }

    /** As at a node that is still at the old primary after a failover: the new primary may have another token, or the session alone. */
    @Test
    void sessionOfAReplica_isAnOutage_whetherItIsThereOrNot() {
        logins(ONE_REPLICA).start(login("f", "first"));
        try (TestRedis copy = TestRedis.at(replica.port())) {
            RedisLoginStore atTheReplica = RedisLoginStore.in(copy, RedisSettings.of(TestRedis.SHOP));
            for (String id : List.of("f", "absent")) {
                assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> atTheReplica.find(id));
            }
        }
        assertThat(logins(ONE_REPLICA).find("absent")).isEmpty();
        assertThat(logins(ONE_REPLICA).find("f")).isPresent();
    }

    /** As with a managed Redis: the name of the server moves to the new primary, and the old primary keeps its connections. */
    @Test
    void connectionToAReplica_isReplaced() throws Exception {
        try (CuttingProxy name = new CuttingProxy(primary.port());
                StoreConnections own = StoreConnections.of(
                        new LettuceConnectionFactory("127.0.0.1", name.port()), Duration.ofMillis(100))) {
            RedisLoginStore logins = RedisLoginStore.in(own.factory(), RedisSettings.of(TestRedis.SHOP));
            logins(ONE_REPLICA).start(login("f", "first"));
            assertThat(logins.find("f")).isPresent();
            replica.promote();
            primary.follow(replica);
            name.moveTo(replica.port());
            assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> logins.find("f"));
            until(() -> isKnown("f", logins));
        }
    }

    /** Before Redis 7, the scripts of revocations show the error in another form. */
    @Test
    void connectionOfTheRevocationsToAReplica_isReplaced() throws Exception {
        try (CuttingProxy name = new CuttingProxy(primary.port());
                StoreConnections own = StoreConnections.of(
                        new LettuceConnectionFactory("127.0.0.1", name.port()), Duration.ofMillis(100))) {
            RedisRevocationStore revocations =
                    RedisRevocationStore.in(own.factory(), Duration.ofHours(1), RedisSettings.of(TestRedis.SHOP));
            assertThat(revocations.isTokenRevoked("t")).isFalse();
            replica.promote();
            primary.follow(replica);
            name.moveTo(replica.port());
            for (ThrowingCallable call :
                    List.<ThrowingCallable>of(() -> revocations.isTokenRevoked("t"), revocations::leaveTrace)) {
                assertThatExceptionOfType(AuthUnavailableException.class)
                        .isThrownBy(call)
                        .withMessageEndingWith("(READONLY)");
            }
            until(() -> answers(revocations));
        }
    }

    private static boolean answers(RedisRevocationStore revocations) {
        try {
            return !revocations.isTokenRevoked("t");
        } catch (AuthUnavailableException e) {
            return false;
        }
    }

    private static boolean isKnown(String id, RedisLoginStore logins) {
        try {
            return logins.find(id).isPresent();
        } catch (AuthUnavailableException e) {
            return false;
        }
    }

    @Test
    void changeThatReturned_isKnownToTheReplica() {
        RedisLoginStore logins = logins(ONE_REPLICA);
        try (TestRedis copy = TestRedis.at(replica.port())) {
            for (int i = 0; i < 50; i++) {
                String id = "f" + i;
                logins.start(login(id, "first"));
                assertThat(tokensOf(id, copy)).containsExactly("first");
                assertThat(logins.replace("first", login(id, "second"))).isTrue();
                assertThat(tokensOf(id, copy)).containsExactly("second");
                assertThat(logins.replace("first", login(id, "third"))).isFalse();
                assertThat(logins.end(id)).isTrue();
                assertThat(tokensOf(id, copy)).isEmpty();
            }
        }
    }

    /** The replica's tokens of this session, if the replica's list of its account has the session. The store reads no replica. */
    private static List<Object> tokensOf(String id, TestRedis copy) {
        String list = listOf(login(id, "any").subjectId());
        Object token = copy.commands().opsForHash().get(keyOf(id), "token-hash");
        Double listed = copy.commands().opsForZSet().score(list, RevocationText.hex(IdDigest.ofLogin(id)));
        return token == null || listed == null ? List.of() : List.of(token);
    }

    @Test
    void changeThatNoReplicaHas_isAnOutage_thatSaysSo() throws Exception {
        RedisLoginStore logins = logins(IMPATIENT);
        logins(ONE_REPLICA).start(login("f", "first"));
        replica.pause();
        assertOutage(() -> logins.start(login("g", "first")));
        assertOutage(() -> logins.replace("first", login("f", "second")));
        assertOutage(
                () -> logins(ONE_REPLICA).within(Duration.ofSeconds(4)).end("f"),
                "Of 1 replicas to wait for, 0 had what was written within 2000 milliseconds");
        // The session is gone on the primary, and no client may hear of the end before the replica has it.
        assertOutage(() -> logins.end("f"));
        assertThat(logins.find("f")).isEmpty();
        replica.resume();
        assertThat(logins(ONE_REPLICA).end("f")).isFalse();
    }

    /** The 503 gave the client no session. Such sessions would count against the limit of their account. */
    @Test
    void sessionWhoseStartNoReplicaHas_isDeleted() throws Exception {
        RedisLoginStore logins = logins(ONE_REPLICA);
        logins.start(login("f", "first"));
        replica.pause();
        assertOutage(() -> logins(IMPATIENT).start(login("g", "first")));
        until(() -> logins.find("g").isEmpty());
        until(() -> Objects.equals(redis.commands().opsForZSet().zCard(listOf("ada")), 1L));
        assertThat(logins.ofOwner("ada")).extracting(StoredLogin::id).containsExactly("f");
    }

    /** After a 503 the owner knows the first token only, so the second use of the first token is no theft. */
    @Test
    void replacementThatNobodyWasToldOf_isOneOfNow_untilSomebodyIsTold() throws Exception {
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        AtomicReference<Instant> now = new AtomicReference<>(at);
        RedisLoginStore logins = RedisLoginStore.in(redis.connections(), ONE_REPLICA, now::get);
        RedisLoginStore impatient = RedisLoginStore.in(redis.connections(), IMPATIENT, now::get);
        logins.start(login("f", "first"));
        replica.pause();
        StoredLogin second = login("f", "second", new StoredLogin.Replaced("first", "seed", at));
        assertOutage(() -> impatient.replace("first", second));
        until(() -> senders("f").isEmpty());
        now.set(at.plusSeconds(3_600));
        assertThat(replacedAt(logins)).isEqualTo(now.get());
        // The owner gets as little at the next attempt.
        assertOutage(() -> impatient.replace("second", impatient.find("f").orElseThrow()));
        until(() -> senders("f").isEmpty());
        now.set(at.plusSeconds(7_200));
        assertThat(replacedAt(logins)).isEqualTo(now.get());
        replica.resume();
        assertThat(logins.replace("second", logins.find("f").orElseThrow())).isTrue();
        now.set(at.plusSeconds(9_000));
        assertThat(replacedAt(logins)).isEqualTo(at.plusSeconds(7_200));
    }

    /** In a failover, the old primary may take the removal of the name and lose the removal. */
    @Test
    void replacementThatNobodyWasToldOf_isOneOfNow_alsoIfTheRemovalOfTheNameIsLost() {
        AtomicInteger connections = new AtomicInteger();
        LettuceConnectionFactory losing = new LettuceConnectionFactory("127.0.0.1", primary.port()) {
            @Override
            public RedisConnection getConnection() {
                // The replacement, the wait for replicas, and the first removal.
                if (connections.incrementAndGet() == 3) {
                    throw new RedisConnectionFailureException("lost");
                }
                return super.getConnection();
            }
        };
        losing.afterPropertiesSet();
        losing.start();
        try {
            logins(ONE_REPLICA).start(login("f", "first"));
            StoredLogin second = login("f", "second", new StoredLogin.Replaced("first", "seed", Instant.EPOCH));
            RedisLoginStore logins = RedisLoginStore.in(losing, IMPATIENT.withWaitForReplicas(2));
            assertOutage(() -> logins.replace("first", second));
            until(() -> senders("f").isEmpty());
            assertThat(connections).hasValueGreaterThan(3);
        } finally {
            losing.destroy();
        }
    }

    @Test
    void replacementThatSomebodyWasToldOf_staysWhenItWas_whoeverElseWasNot() throws Exception {
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        RedisLoginStore logins = logins(ONE_REPLICA);
        RedisLoginStore impatient = logins(IMPATIENT);
        logins.start(login("f", "first"));
        StoredLogin second = login("f", "second", new StoredLogin.Replaced("first", "seed", at));
        logins.replace("first", second);
        String told = senders("f");
        replica.pause();
        assertOutage(() -> impatient.replace("second", second));
        until(() -> senders("f").equals(told));
        assertThat(replacedAt(logins)).isEqualTo(at);
        // The same for an entry without receivers, from a node of an earlier version.
        redis.commands().opsForHash().delete(keyOf("f"), "sent-by");
        assertOutage(() -> impatient.replace("second", second));
        until(() -> senders("f").equals("?"));
        assertThat(replacedAt(logins)).isEqualTo(at);
        replica.resume();
    }

    /** The names are bounded, and within the bound no name is forgotten. */
    @Test
    void replacementThatManyWereToldOf_isNeverOneOfNow() {
        RedisLoginStore logins = logins(RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(8)));
        logins.start(login("f", "first"));
        StoredLogin second = login("f", "second", new StoredLogin.Replaced("first", "seed", Instant.EPOCH));
        logins.replace("first", second);
        for (int i = 0; i < 100; i++) {
            logins.replace("second", second);
        }
        assertThat(senders("f")).startsWith("?").hasSizeLessThan(300);
        assertThat(replacedAt(logins)).isEqualTo(Instant.EPOCH);
    }

    private static Instant replacedAt(RedisLoginStore logins) {
        return Objects.requireNonNull(logins.find("f").orElseThrow().replaced()).at();
    }

    private static String keyOf(String id) {
        return "latchkey:shop:login:{" + RevocationText.hex(IdDigest.ofLogin(id)) + "}";
    }

    private static String listOf(String subjectId) {
        return "latchkey:shop:logins-of:{" + RevocationText.hex(IdDigest.ofOwner(subjectId)) + "}";
    }

    private String senders(String id) {
        return String.valueOf(redis.commands().opsForHash().get(keyOf(id), "sent-by"));
    }

    @Test
    void callerThatOnlyLooks_doesNotWaitForTheReplica_norForThoseWhoDo() throws Exception {
        RedisLoginStore logins = logins(ONE_REPLICA);
        logins.start(login("f", "first"));
        replica.pause();
        // More changes than can have their turn before the reader's deadline.
        List<CompletableFuture<Void>> changes = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        for (int i = 0; i < 12; i++) {
            String id = "g" + i;
            changes.add(CompletableFuture.runAsync(() -> logins.start(login(id, "first")), threads));
        }
        until(() -> clients().lines().filter(each -> each.contains("cmd=wait")).count() == 4);
        assertThat(logins.find("f")).isPresent();
        replica.resume();
        for (CompletableFuture<Void> each : changes) {
            until(each::isDone);
        }
        threads.shutdown();
    }

    /** The driver repeats the call over the next connection, and an answer there is about no write of this call. */
    @Test
    void connectionThatBreaksWhileItWaits_isAnOutage_whateverTheNextOneSays() throws Exception {
        RedisLoginStore logins = logins(ONE_REPLICA);
        logins.start(login("f", "first"));
        replica.pause();
        CompletableFuture<Boolean> changing =
                CompletableFuture.supplyAsync(() -> logins.replace("first", login("f", "second")));
        until(() -> clients().contains("cmd=wait"));
        String waiting = clients()
                .lines()
                .filter(each -> each.contains("cmd=wait"))
                .findFirst()
                .orElseThrow();
        redis.commands().execute((RedisCallback<Object>) connection -> {
            connection.serverCommands().killClient("127.0.0.1", portOf(waiting));
            return null;
        });
        String broken = waiting.substring(0, waiting.indexOf(' ') + 1);
        until(() -> changing.isDone()
                || (clients().contains("cmd=wait") && !clients().contains(broken)));
        replica.resume();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(changing::join)
                .withMessageContaining("The connection to Redis was opened anew");
    }

    @Test
    void changeThatIsNotThere_isAnOutage_andAReplacementThatIsNotHasLost() {
        Replicas replicas = Replicas.of(redis.connections(), ONE_REPLICA);
        RedisLoginStore logins = logins(ONE_REPLICA);
        String key = keyOf("f");
        logins.start(login("f", "second"));
        String another = "Redis has something else than was just written, as after a failover";
        assertThat(replicas.awaitReplaced(key, "third")).isFalse();
        assertOutage(() -> replicas.awaitEnded(key), another);
        assertOutage(() -> replicas.awaitStarted(key, "first", "latchkey:shop:logins-of:{nobody}", "f"), another);
        assertOutage(() -> replicas.awaitStarted(key, "second", "latchkey:shop:logins-of:{nobody}", "f"), another);
        assertThat(replicas.awaitReplaced(key, "second")).isTrue();
        logins.replace("second", login("f", "third", new StoredLogin.Replaced("second", "seed", Instant.EPOCH)));
        assertThat(replicas.awaitReplaced(key, "second")).isTrue();
        assertThat(replicas.awaitReplaced(key, "third")).isTrue();
        assertThat(replicas.awaitReplaced(key, "first")).isFalse();
        logins.end("f");
        assertThat(replicas.awaitReplaced(key, "third")).isFalse();
        replicas.awaitEnded(key);
    }

    /** The primary with the replacement is gone right after the second write. */
    @Test
    void repetitionWhoseReplacementAFailoverTookBack_hasLost() {
        RedisLoginStore logins = logins(ONE_REPLICA);
        StoredLogin first = login("f", "first");
        StoredLogin second = login("f", "second", new StoredLogin.Replaced("first", "seed", Instant.EPOCH));
        logins.start(first);
        logins.replace("first", second);
        RedisLoginStore unaware = RedisLoginStore.in(redis.connections(), RedisSettings.of(TestRedis.SHOP));
        // The first connection writes, and the second connection asks for the replicas' state.
        redis.beforeConnection(2, () -> {
            unaware.end("f");
            unaware.start(first);
        });
        assertThat(logins.replace("second", second)).isFalse();
        assertThat(logins.find("f")).contains(first);
    }

    @Test
    void clusterAndOtherDrivers_areRefusedAtOnce_unlessNothingIsWaitedFor() {
        TestRedis cluster = RedisServers.cluster();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisLoginStore.in(cluster.connections(), ONE_REPLICA))
                .withMessageContaining("this is a Cluster");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisLoginStore.in(redis, ONE_REPLICA))
                .withMessageContaining("takes a LettuceConnectionFactory, and this is a " + TestRedis.class.getName());
        RedisLoginStore.in(redis, RedisSettings.of(TestRedis.SHOP)).start(login("f", "first"));
    }

    private RedisLoginStore logins(RedisSettings settings) {
        return RedisLoginStore.in(redis.connections(), settings);
    }

    private static void assertOutage(ThrowingCallable call) {
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(call);
    }

    private static void assertOutage(ThrowingCallable call, String message) {
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(call)
                .withMessage(message);
    }

    /** The connected clients, a line for each. */
    private String clients() {
        StringBuilder all = new StringBuilder();
        redis.commands().execute((RedisCallback<Object>) connection -> {
            Objects.requireNonNull(connection.serverCommands().getClientList())
                    .forEach(each -> all.append("id=")
                            .append(each.get("id"))
                            .append(" cmd=")
                            .append(each.getLastCommand())
                            .append(" addr=")
                            .append(each.getAddressPort())
                            .append('\n'));
            return null;
        });
        return all.toString();
    }

    private static int portOf(String client) {
        return Integer.parseInt(client.substring(client.lastIndexOf(':') + 1));
    }

    private static StoredLogin login(String id, String tokenHash) {
        return login(id, tokenHash, null);
    }

    private static StoredLogin login(String id, String tokenHash, StoredLogin.@Nullable Replaced replaced) {
        return new StoredLogin(id, "users", "ada", tokenHash, "", Set.of(), Instant.EPOCH, END, END, replaced);
    }
}
