package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.BucketTake;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.SharedRevocationStore;
import dev.latchkey.auth.store.SharedRevocationStore.Recorded;
import dev.latchkey.auth.store.StoredLogin;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Facts outside of the contracts: the keys, their lifetimes, and the threads. */
@Timeout(60)
class RedisStoresTest {

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration LIFETIME = Duration.ofHours(1);

    /** A machine with other work is no outage. */
    private static final RedisSettings PATIENT =
            RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10));

    private static final String ENDS = "latchkey:shop:{revocations}:ends";
    private static final String ORDER = "latchkey:shop:{revocations}:order";

    private Instant now = START;
    private TestRedis redis;
    private StringRedisTemplate commands;

    @BeforeEach
    void empty() {
        redis = RedisServers.single();
        commands = redis.commands();
    }

    @Test
    void keys_areThoseOfTheReadme_andHoldNoId() {
        store(10).revokeTokenOf("ada-lovelace", "token-of-ada", START.plusSeconds(60));
        store(10).revokeSubject("ada-lovelace", START);
        logins().start(login("login-of-ada", "ada-lovelace", START.plusSeconds(60)));
        assertThat(keys())
                .allMatch(key -> key.matches("latchkey:shop:(\\{revocations}:(ends|order|bounds|node:[0-9a-f-]{36})"
                        + "|revoked-of:\\{[0-9a-f]{32}}|login:\\{[0-9a-f]{32}}|logins-of:\\{[0-9a-f]{32}})"))
                .hasSize(8);
        for (String key : List.of(ENDS, ORDER)) {
            assertThat(Objects.requireNonNull(commands.opsForZSet().range(key, 0, -1)))
                    .isNotEmpty()
                    .noneMatch(member -> member.contains("ada"));
        }
    }

    @Test
    void revocation_isFoundByTheDigestThatAShellComputes() throws Exception {
        store(10).revokeToken("t1", START.plusSeconds(60));
        Process shell = new ProcessBuilder("sh", "-c", "printf 'token:t1' | sha256sum | cut -c1-32").start();
        String digest = new String(shell.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(commands.opsForZSet().score(ENDS, digest.strip()))
                .isEqualTo((double) START.plusSeconds(60).getEpochSecond());
    }

    /** Four logouts fill the threads of the store. */
    @Test
    void copy_isRead_whileLogoutsWaitForRedis() throws InterruptedException {
        CountDownLatch free = new CountDownLatch(1);
        AtomicInteger waiting = new AtomicInteger();
        RedisConnectionFactory slow = (RedisConnectionFactory) Proxy.newProxyInstance(
                RedisStoresTest.class.getClassLoader(),
                new Class<?>[] {RedisConnectionFactory.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("getConnection") && waiting.getAndIncrement() < 4) {
                        free.await();
                    }
                    return method.invoke(redis, arguments);
                });
        LocalRevocations copy = LocalRevocations.of(
                RedisRevocationStore.in(slow, LIFETIME, PATIENT, () -> now, 10), LocalRevocationSettings.defaults());
        List<Thread> logouts = IntStream.range(0, 20)
                .mapToObj(i -> new Thread(() -> copy.revokeToken("t" + i, START.plusSeconds(60))))
                .toList();
        logouts.forEach(Thread::start);
        until(() -> waiting.get() == 4);
        copy.refresh();
        assertThat(copy.status().isFresh()).isTrue();
        free.countDown();
        for (Thread each : logouts) {
            each.join();
        }
        assertThat(store(10).isTokenRevoked("t19")).isTrue();
    }

    @Test
    void revocations_haveNoTimeToLive_soThatNoneIsEvictedByOne() {
        store(10).revokeToken("t", START.plusSeconds(60));
        store(10).revokeSubject("ada", START);
        for (String name : List.of("ends", "order", "bounds")) {
            assertThat(commands.getExpire("latchkey:shop:{revocations}:" + name))
                    .isEqualTo(-1);
        }
    }

    @Test
    void tracesAndCounts_leaveByThemselves() {
        RedisRevocationStore store = store(10);
        store.revokeTokenOf("ada", "t", START.plusSeconds(30));
        assertThat(keys()).anySatisfy(key -> {
            assertThat(key).contains(":node:");
            assertThat(commands.getExpire(key)).isBetween(1L, RedisRevocationStore.TRACE_KEPT.toSeconds());
        });
        assertThat(keys()).anySatisfy(key -> {
            assertThat(key).contains("revoked-of:");
            assertThat(commands.getExpire(key)).isBetween(80L, 90L);
        });
    }

    @Test
    void login_isKeptAMinuteLongerThanItIsGood_andItsListUntilTheLoginsEnd() {
        RedisLoginStore logins = logins();
        logins.start(login("f", "ada", START.plusSeconds(600)));
        assertThat(commands.getExpire(only("latchkey:shop:login:"))).isBetween(650L, 660L);
        assertThat(commands.getExpire(only("latchkey:shop:logins-of:"))).isBetween(3_650L, 3_660L);
        assertThat(logins.replace("hash", login("f", "ada", START.plusSeconds(60))))
                .isTrue();
        assertThat(commands.getExpire(only("latchkey:shop:login:"))).isBetween(110L, 120L);
        logins.end("f");
        until(() -> keys().isEmpty());
    }

    @Test
    void loginThatIsOver_isNotKept_andOneWithoutEndIs() {
        RedisLoginStore logins = logins();
        logins.start(login("over", "ada", START.minusSeconds(120)));
        until(() -> logins.find("over").isEmpty());
        StoredLogin endless =
                new StoredLogin("g", "users", "bob", "hash", "", Set.of(), START, Instant.MAX, Instant.MAX, null);
        logins.start(endless);
        assertThat(logins.find("g").orElseThrow().expiresAt()).isAfter(START.plus(Duration.ofDays(1_000_000)));
    }

    @Test
    void loginsThatAreOver_makeRoomBeforeOnesThatAreGood() {
        RedisLoginStore logins = logins();
        logins.start(login("oldest", "ada", START.plusSeconds(600)));
        for (int i = 1; i < RedisLoginStore.MOST_OF_OWNER; i++) {
            logins.start(login("f" + i, "ada", START.plusSeconds(600)));
        }
        commands.delete("latchkey:shop:login:{" + RevocationText.hex(IdDigest.ofLogin("f7")) + "}");
        logins.start(login("newest", "ada", START.plusSeconds(600)));
        assertThat(logins.find("oldest")).isPresent();
        logins.start(login("later", "ada", START.plusSeconds(600)));
        assertThat(logins.find("oldest")).isEmpty();
        assertThat(commands.opsForZSet().zCard(only("latchkey:shop:logins-of:")))
                .isEqualTo(RedisLoginStore.MOST_OF_OWNER);
    }

    /** Before the node that was second has shortened the list. */
    @Test
    void accountWhoseListIsTooLong_hasNoMoreThanTheBound() {
        RedisLoginStore logins = logins();
        for (int i = 0; i < RedisLoginStore.MOST_OF_OWNER; i++) {
            logins.start(login("f" + i, "ada", START.plusSeconds(600)));
        }
        String list = only("latchkey:shop:logins-of:");
        logins.start(login("g", "bob", START.plusSeconds(600)));
        commands.opsForZSet().add(list, RevocationText.hex(IdDigest.ofLogin("g")), 0);
        assertThat(logins.ofOwner(login("f0", "ada", START).subjectId())).hasSize(RedisLoginStore.MOST_OF_OWNER);
    }

    /** Made as in a service. */
    @Test
    void bucketsAndPortions_areTakenAtRedissTime() {
        BucketKey key = new BucketKey(1, 2);
        BucketPolicy one = BucketPolicy.of("one", LimitWindow.of(1, Duration.ofDays(1)));
        BucketStore buckets = RedisBucketStore.in(redis, PATIENT);
        assertThat(buckets.take(one, key).toCompletableFuture().join()).isEqualTo(BucketTake.TAKEN);
        assertThat(buckets.take(one, key).toCompletableFuture().join()).isNotEqualTo(BucketTake.TAKEN);
        PortionStore.Bucket two = new PortionStore.Bucket("two", key, new BucketRate(1, Duration.ofDays(1), 2));
        PortionStore portions = RedisPortionStore.in(redis, PATIENT);
        PortionStore.Wish all = new PortionStore.Wish(1, 5, Duration.ZERO);
        assertThat(portions.draw(two, all).toCompletableFuture().join().tokens())
                .isEqualTo(2);
        assertThat(portions.draw(two, all).toCompletableFuture().join().tokens())
                .isZero();
    }

    @Test
    void sweep_forgetsWhatIsOver_aBatchAtATime_andNothingElse() {
        RedisRevocationStore store = store(10_000);
        List<Revocation> many = new ArrayList<>();
        for (int i = 0; i < RedisRevocationStore.SWEPT_AT_ONCE + 3; i++) {
            many.add(Revocation.ofToken("t" + i, START.plusSeconds(i % 2)));
        }
        store.restore(many);
        store.revokeToken("later", START.plus(LIFETIME).plusSeconds(2));
        store.revokeSubject("ada", START.minusSeconds(1));
        now = START.plusSeconds(2).plus(RedisRevocationStore.KEPT_LONGER);
        assertThat(store.sweep()).isEqualTo(RedisRevocationStore.SWEPT_AT_ONCE);
        assertThat(store.sweep()).isEqualTo(3);
        assertThat(store.sweep()).isZero();
        assertThat(store.notBefore("ada")).isEqualTo(START);
        now = START.plus(LIFETIME).plus(RedisRevocationStore.KEPT_LONGER).plusSeconds(2);
        assertThat(store.sweep()).isEqualTo(1);
        assertThat(store.notBefore("ada")).isEqualTo(Instant.MIN);
        assertThat(onlyOf(store.recordedAfter(0, 10)).revocation().id()).isEqualTo(IdDigest.ofToken("later"));
        now = now.plusSeconds(1);
        assertThat(store.sweep()).isEqualTo(1);
        assertThat(store.isTokenRevoked("later")).isFalse();
    }

    @Test
    void sweeps_goOnWhereTheClockWasAYearAhead_andIsSetBack() {
        RedisRevocationStore store = store(10);
        store.restore(List.of(Revocation.ofToken("t0", START)));
        now = START.plus(Duration.ofDays(365));
        store.revokeToken("t1", now.plusSeconds(60));
        until(() -> !store.isTokenRevoked("t0"));
        now = START;
        store.revokeToken("t2", START.plusSeconds(1));
        now = START.plusSeconds(120);
        store.revokeToken("t3", now.plusSeconds(60));
        until(() -> !store.isTokenRevoked("t2"));
    }

    @Test
    void sweeps_areAMinuteApart() {
        RedisRevocationStore store = store(10);
        store.revokeToken("t1", START.plusSeconds(600));
        store.restore(List.of(Revocation.ofToken("over-soon", START.minusSeconds(30))));
        now = START.plusSeconds(60);
        store.revokeToken("t2", START.plusSeconds(600));
        until(() -> !store.isTokenRevoked("over-soon"));
    }

    @Test
    void fullSweep_isFollowedByAnotherInTheSameMinute() {
        RedisRevocationStore store = store(10);
        List<Revocation> over = new ArrayList<>();
        for (int i = 0; i < RedisRevocationStore.SWEPT_AT_ONCE + 3; i++) {
            over.add(Revocation.ofToken("t" + i, START.minusSeconds(600)));
        }
        store.restore(over);
        until(() -> {
            store.revokeToken("later", START.plusSeconds(600));
            return Objects.equals(commands.opsForZSet().zCard(ENDS), 1L);
        });
    }

    /** A service whose users never log out has no revocation to sweep with. */
    @Test
    void readerSweepsToo_andKnowsThatNoPositionComesLate() {
        RedisRevocationStore store = store(10);
        store.restore(List.of(Revocation.ofToken("over", START.minusSeconds(600))));
        assertThat(store.leaveTrace()).isZero();
        until(() -> !store.isTokenRevoked("over"));
        assertThat(store.lateness()).isZero();
    }

    @Test
    void loss_isNoticedByTheNextTrace_andByTheNextRevocation() {
        RedisRevocationStore store = store(10);
        store.revokeToken("t", START.plusSeconds(60));
        assertThat(store.leaveTrace()).isZero();
        loseEverything();
        assertThat(store.leaveTrace()).isEqualTo(1);
        store.revokeToken("u", START.plusSeconds(60));
        loseEverything();
        store.revokeToken("v", START.plusSeconds(60));
        assertThat(store.leaveTrace()).isEqualTo(2);
    }

    /** With fewer lost writes than waiting calls, the number of traces is soon as high as before the loss. */
    @Test
    void loss_isNoticed_whileCallsWaitForTheThreads() throws InterruptedException {
        Semaphore free = new Semaphore(0);
        AtomicInteger asked = new AtomicInteger();
        RedisConnectionFactory slow = (RedisConnectionFactory) Proxy.newProxyInstance(
                RedisStoresTest.class.getClassLoader(),
                new Class<?>[] {RedisConnectionFactory.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        asked.incrementAndGet();
                        free.acquire();
                    }
                    return method.invoke(redis, arguments);
                });
        RedisRevocationStore store = RedisRevocationStore.in(slow, LIFETIME, PATIENT, () -> now, 10);
        List<Thread> logouts = IntStream.range(0, 12)
                .mapToObj(i -> new Thread(() -> store.revokeToken("t" + i, START.plusSeconds(60))))
                .toList();
        logouts.forEach(Thread::start);
        until(() -> asked.get() == 4);
        until(() -> logouts.stream().allMatch(each -> each.getState() == Thread.State.TIMED_WAITING));
        free.release(4);
        until(() -> asked.get() == 8);
        loseEverything();
        free.release(100);
        for (Thread each : logouts) {
            each.join();
        }
        assertThat(store.leaveTrace()).isPositive();
    }

    private void loseEverything() {
        commands.execute((RedisCallback<Object>) connection -> {
            connection.serverCommands().flushAll();
            return null;
        });
    }

    /** Such a token has expired at every node. */
    @Test
    void tokenThatIsOver_isRevokedWithoutAnEntry() {
        Instant over = START.minus(RedisRevocationStore.KEPT_LONGER);
        assertThat(store(10).recordToken("t1", over)).isEqualTo(Revocation.ofToken("t1", over));
        assertThat(store(10).recordTokenOf("ada", "t2", over)).isEqualTo(Revocation.ofToken("t2", over));
        assertThat(keys()).isEmpty();
        store(10).recordTokenOf("ada", "t3", over.plusSeconds(1));
        assertThat(store(10).isTokenRevoked("t3")).isTrue();
    }

    @Test
    void storesWithinATime_haveTheSameContent() {
        store(10).within(Duration.ofSeconds(5)).revokeToken("t", START.plusSeconds(60));
        assertThat(store(10).isTokenRevoked("t")).isTrue();
        logins().within(Duration.ofSeconds(5)).start(login("f", "ada", START.plusSeconds(60)));
        assertThat(logins().find("f")).isPresent();
    }

    @Test
    void nodeWhoseClockIsAYearAhead_sweepsNothingThatIsNotOverByRedissClock() {
        now = Instant.now();
        RedisRevocationStore store = store(10);
        store.revokeToken("t", now.plusSeconds(30));
        store.revokeSubject("ada", now.plusSeconds(30).minus(LIFETIME));
        now = now.plus(Duration.ofDays(365));
        assertThat(store.sweep()).isZero();
        assertThat(store.isTokenRevoked("t")).isTrue();
        assertThat(store.notBefore("ada")).isAfter(Instant.MIN);
    }

    @Test
    void repeatedRevocation_hasALaterPosition_andOneEntry() {
        RedisRevocationStore store = store(10);
        store.revokeSubject("ada", START);
        long first = onlyOf(store.recordedAfter(0, 10)).position();
        store.revokeSubject("ada", START.minusSeconds(60));
        Recorded later = onlyOf(store.recordedAfter(first, 10));
        assertThat(later.revocation()).isEqualTo(Revocation.ofSubject("ada", START, LIFETIME));
        assertThat(store.recordedAfter(0, 10)).containsExactly(later);
    }

    @Test
    void tokenThatIsRevokedForLonger_hasOneEntry_withTheLaterEnd() {
        RedisRevocationStore store = store(10);
        store.revokeToken("t", START.plusSeconds(20));
        store.revokeToken("t", START.plusSeconds(60));
        assertThat(onlyOf(store.recordedAfter(0, 10)).revocation())
                .isEqualTo(Revocation.ofToken("t", START.plusSeconds(60)));
    }

    @Test
    void positions_growAlsoWhereTheLastOneWasForgotten() {
        RedisRevocationStore store = store(10);
        store.revokeToken("t", START.plusSeconds(1));
        long first = onlyOf(store.recordedAfter(0, 10)).position();
        now = START.plusSeconds(10).plus(RedisRevocationStore.KEPT_LONGER);
        assertThat(store.sweep()).isEqualTo(1);
        store.revokeToken("u", now.plusSeconds(60));
        assertThat(onlyOf(store.recordedAfter(first, 10)).position()).isGreaterThan(first);
    }

    @Test
    void pages_areReadInOrder_andNoneIsLeftOut() {
        RedisRevocationStore store = store(10);
        for (int i = 0; i < 25; i++) {
            store.revokeToken("t" + i, START.plusSeconds(60));
        }
        List<Recorded> read = new ArrayList<>();
        for (List<Recorded> page = store.recordedAfter(0, 10); !page.isEmpty(); ) {
            read.addAll(page);
            page = store.recordedAfter(page.get(page.size() - 1).position(), 10);
        }
        assertThat(read).hasSize(25).isSortedAccordingTo((a, b) -> Long.compare(a.position(), b.position()));
        assertThat(read.get(24).revocation().id()).isEqualTo(IdDigest.ofToken("t24"));
    }

    @Test
    void aTokenTooMany_revokesItsSubject_andThoseThatAreOverDoNotCount() {
        RedisRevocationStore store = store(2);
        store.revokeTokenOf("ada", "t1", START.plusSeconds(10));
        store.revokeTokenOf("ada", "t2", START.plusSeconds(600));
        store.revokeTokenOf("ada", "t2", START.plusSeconds(600));
        assertThat(store.notBefore("ada")).isEqualTo(Instant.MIN);
        now = START.plusSeconds(11).plus(RedisRevocationStore.KEPT_LONGER);
        store.revokeTokenOf("ada", "t3", START.plusSeconds(600));
        assertThat(store.isTokenRevoked("t3")).isTrue();
        assertThat(store.notBefore("ada")).isEqualTo(Instant.MIN);
        assertThat(store.recordTokenOf("ada", "t4", START.plusSeconds(600)).id())
                .isEqualTo(IdDigest.ofSubject("ada"));
        assertThat(store.isTokenRevoked("t4")).isFalse();
        assertThat(store.notBefore("ada")).isAfter(now.plus(RedisRevocationStore.CLOCK_DIFFERENCE));
    }

    /** Otherwise each further logout would end all sessions of the account. */
    @Test
    void countOfTokens_beginsAgainAfterTheirSubject() {
        RedisRevocationStore store = store(2);
        List.of("t1", "t2", "t3").forEach(id -> store.revokeTokenOf("ada", id, START.plusSeconds(600)));
        Instant bound = store.notBefore("ada");
        assertThat(bound).isAfter(now);
        until(() -> keys().stream().noneMatch(key -> key.contains("revoked-of")));
        now = now.plusSeconds(60);
        for (String id : List.of("t4", "t5")) {
            assertThat(store.recordTokenOf("ada", id, START.plusSeconds(600)).id())
                    .isEqualTo(IdDigest.ofToken(id));
        }
        assertThat(store.notBefore("ada")).isEqualTo(bound);
        store.revokeTokenOf("ada", "t6", START.plusSeconds(600));
        assertThat(store.notBefore("ada")).isAfter(bound);
    }

    @Test
    void callWithinLessThanItsDeadline_isAnOutageSooner_andWithinMoreNotLater() {
        CountDownLatch hangs = new CountDownLatch(1);
        RedisCalls patient = new RedisCalls(redis, Duration.ofMinutes(10));
        RedisCalls impatient = new RedisCalls(redis, Duration.ofMillis(50));
        for (RedisCalls calls :
                List.of(patient.within(Duration.ofMillis(50)), impatient.within(Duration.ofMinutes(10)))) {
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> calls.call(unused -> awaited(hangs)))
                    .withMessage("Redis did not answer within 50 milliseconds");
        }
        hangs.countDown();
    }

    @Test
    void callThatWouldTakeLonger_isAnOutageAtItsDeadline() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        RedisCalls calls = new RedisCalls(redis, Duration.ofMillis(100));
        long begun = System.nanoTime();
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls.call(unused -> awaited(hangs)))
                .withMessage("Redis did not answer within 100 milliseconds");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
        hangs.countDown();
    }

    /** The first of two calls takes half of the time, and the second does not end. */
    @Test
    void revocationOfASubjectsToken_hasOneDeadlineForBothOfItsCalls() {
        CountDownLatch hangs = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        RedisConnectionFactory slow = (RedisConnectionFactory) Proxy.newProxyInstance(
                RedisStoresTest.class.getClassLoader(),
                new Class<?>[] {RedisConnectionFactory.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        if (calls.getAndIncrement() == 0) {
                            long asked = System.nanoTime();
                            until(() -> System.nanoTime() - asked > TimeUnit.MILLISECONDS.toNanos(500));
                        } else {
                            hangs.await();
                        }
                    }
                    return method.invoke(redis, arguments);
                });
        SharedRevocationStore store =
                RedisRevocationStore.in(slow, LIFETIME, PATIENT, () -> now, 10).within(Duration.ofSeconds(1));
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> store.recordTokenOf("ada", "t", START.plusSeconds(60)))
                .withMessageMatching("Redis did not answer within ([1-4]?\\d)?\\d milliseconds");
        assertThat(calls).hasValue(2);
        hangs.countDown();
    }

    @Test
    void callsThatWait_areBounded() {
        CountDownLatch hangs = new CountDownLatch(1);
        RedisCalls calls = new RedisCalls(redis, Duration.ofSeconds(10));
        for (int i = 0; i < 300; i++) {
            calls.later(unused -> awaited(hangs));
        }
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls.call(unused -> true))
                .withMessage("Redis is too slow: 200 calls wait for it")
                .withCauseInstanceOf(RejectedExecutionException.class);
        hangs.countDown();
    }

    @Test
    void errorOfRedis_isAnOutageThatSaysItsCode_andNoKey() {
        commands.opsForValue().set(ENDS, "something else");
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> store(10).isTokenRevoked("t"))
                .withMessageMatching("Redis failed: [A-Za-z, ]+ \\(WRONGTYPE\\)");
    }

    /** Its data are old, and revocations go to the new primary. */
    @Test
    void serverThatIsNoPrimaryAnyMore_answersNoQuestion() {
        RedisRevocationStore store = store(10);
        store.leaveTrace();
        replicaOf("127.0.0.1", "1");
        try {
            assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(store::leaveTrace);
            assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> store.isTokenRevoked("t"));
            assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> store.notBefore("ada"));
        } finally {
            replicaOf("NO", "ONE");
        }
        assertThat(store.isTokenRevoked("t")).isFalse();
    }

    @Test
    void serverThatIsNoPrimaryAnyMore_listsNoSession() {
        RedisLoginStore logins = logins();
        logins.start(login("a", "ada", START.plusSeconds(60)));
        replicaOf("127.0.0.1", "1");
        try {
            for (String each : List.of("ada", "grace")) {
                assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> logins.ofOwner(each));
            }
        } finally {
            replicaOf("NO", "ONE");
        }
        assertThat(logins.ofOwner("ada")).hasSize(1);
        assertThat(logins.ofOwner("grace")).isEmpty();
    }

    private void replicaOf(String host, String port) {
        commands.execute((RedisCallback<Object>) connection -> connection.execute(
                "REPLICAOF", host.getBytes(StandardCharsets.US_ASCII), port.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void scriptThatRedisHasForgotten_isSentAgain() {
        RedisRevocationStore store = store(10);
        store.revokeToken("t", START.plusSeconds(60));
        commands.execute((RedisCallback<Object>) connection -> {
            connection.scriptingCommands().scriptFlush();
            return null;
        });
        store.revokeToken("u", START.plusSeconds(60));
        assertThat(store.isTokenRevoked("u")).isTrue();
    }

    @Test
    void foreignContent_isAnOutage() {
        RedisRevocationStore store = store(10);
        commands.opsForZSet().add(ORDER, "x y", 1);
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> store.recordedAfter(0, 10));
        commands.opsForHash()
                .put("latchkey:shop:{revocations}:bounds", RevocationText.hex(IdDigest.ofSubject("ada")), "soon");
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> store.notBefore("ada"));
        RedisLoginStore logins = logins();
        logins.start(login("f", "ada", START.plusSeconds(60)));
        commands.opsForHash().delete(only("latchkey:shop:login:"), "subject");
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> logins.find("f"));
    }

    @Test
    void caughtTransaction_holdsNoRevocationBack() {
        StringRedisTemplate transactional = redis.commands();
        RedisRevocationStore store = store(10);
        transactional.execute(new SessionCallback<Object>() {
            @Override
            @SuppressWarnings("unchecked")
            public <K, V> Object execute(RedisOperations<K, V> operations) {
                operations.multi();
                store.revokeToken("t", START.plusSeconds(60));
                operations.discard();
                return List.of();
            }
        });
        assertThat(store.isTokenRevoked("t")).isTrue();
    }

    @Test
    void settingsThatCannotBe_areRefused() {
        RedisSettings settings = RedisSettings.of(TestRedis.SHOP);
        for (String prefix : List.of("a b", "{a}", "a}", "x".repeat(300))) {
            assertThatIllegalArgumentException().isThrownBy(() -> settings.withKeys(prefix, TestRedis.SHOP));
        }
        for (Duration deadline : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofMillis(10_001))) {
            assertThatIllegalArgumentException().isThrownBy(() -> settings.withDeadline(deadline));
        }
        for (int replicas : List.of(-1, 101)) {
            assertThatIllegalArgumentException().isThrownBy(() -> settings.withWaitForReplicas(replicas));
        }
        assertThat(settings.withWaitForReplicas(2)
                        .withKeys("team:", TestRedis.SHOP)
                        .withDeadline(Duration.ofSeconds(10)))
                .isEqualTo(new RedisSettings("team:shop:", Duration.ofSeconds(10), 2));
        assertThatIllegalArgumentException().isThrownBy(() -> RedisRevocationStore.in(redis, Duration.ZERO, settings));
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new InvalidDataAccessApiUsageException("interrupted", e);
        }
    }

    private RedisRevocationStore store(int mostOfOne) {
        return RedisRevocationStore.in(redis, LIFETIME, PATIENT, () -> now, mostOfOne);
    }

    private RedisLoginStore logins() {
        return RedisLoginStore.in(redis, PATIENT, () -> now);
    }

    private Set<String> keys() {
        return Objects.requireNonNull(commands.keys("*"));
    }

    private String only(String prefix) {
        List<String> found =
                keys().stream().filter(key -> key.startsWith(prefix)).toList();
        return onlyOf(found);
    }

    private static <T> T onlyOf(List<T> all) {
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static StoredLogin login(String id, String subject, Instant expiresAt) {
        Instant end = START.plusSeconds(3_600);
        return new StoredLogin(id, "users", subject, "hash", "", Set.of("pwd"), START, end, expiresAt, null);
    }
}
