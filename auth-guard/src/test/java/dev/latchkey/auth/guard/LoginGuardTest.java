package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Abstained;
import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // a test may ask and not care for the answer
class LoginGuardTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();

    /** Time stands still: whatever is refused is refused by number, not by the speed of this machine. */
    private final ManualTime time = new ManualTime();

    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final HashingPool pool = HashingPool.start(
            HashingPoolSettings.defaults().withThreads(2).withFirstEstimate(Duration.ofMillis(80)), time);
    private final LoginGuard guard = new LoginGuard(limits, pool);
    private final Plugin plugin = new Plugin();
    private final GuardedAuthPlugin guarded = GuardedAuthPlugin.of(plugin, guard);

    @AfterEach
    void close() {
        plugin.gate.countDown();
        pool.close();
    }

    /** Knows Ann, whose password is {@code right}; counts its hashes and the threads that compute them. */
    private static final class Plugin implements AuthPlugin {

        private final AtomicInteger hashes = new AtomicInteger();
        private final Set<String> threads = ConcurrentHashMap.newKeySet();
        private final Secret right = Secret.of("right");
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile boolean down;

        @Override
        public String name() {
            return "users";
        }

        @Override
        public Decision authenticate(Credentials credentials) {
            if (!(credentials instanceof PasswordCredentials password)) {
                return Decision.abstained();
            }
            if (down) {
                throw AuthUnavailableException.outage("The user store is down");
            }
            // Whoever sees the count may put up the next gate.
            CountDownLatch held = gate;
            hashes.incrementAndGet();
            threads.add(Thread.currentThread().getName());
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (password.username().equals("broken")) {
                throw new IllegalStateException("A bug of this plugin");
            }
            return password.username().equals("ann") && right.matches(password.password())
                    ? Authenticated.as(Subject.of("ann"))
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }

    private static PasswordCredentials ann(String password) {
        return new PasswordCredentials("ann", Secret.of(password));
    }

    private static Kind refusalOf(Callable<?> login) {
        try {
            login.call();
        } catch (AuthUnavailableException e) {
            return e.kind();
        } catch (Exception e) {
            Throwable cause = Stages.cause(e);
            assertThat(cause).isInstanceOf(AuthUnavailableException.class);
            return ((AuthUnavailableException) cause).kind();
        }
        throw new AssertionError("was not refused");
    }

    @Test
    void g3_hashRunsOnThePool_neverOnTheThreadThatAsks() {
        assertThat(guarded.authenticate(ann("right"), HOME).join()).isInstanceOf(Authenticated.class);
        assertThat(guarded.authenticate(ann("right"))).isInstanceOf(Authenticated.class);
        AuthChain chain = AuthChain.of(plugin);
        assertThat(guard.authenticate(chain, ann("right"), HOME, 0).join()).isInstanceOf(Authenticated.class);
        assertThat(plugin.threads).hasSizeBetween(1, 2).allMatch(name -> name.startsWith("latchkey-hash-"));
    }

    @Test
    void g2_twoHundredParallelWrongLogins_areFiveHashes() {
        List<CompletableFuture<Decision>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(guarded.authenticate(ann("wrong" + i), HOME));
        }
        int throttled = 0;
        for (CompletableFuture<Decision> each : all) {
            throttled += each.handle((decision, failure) -> failure != null).join() ? 1 : 0;
        }
        assertThat(plugin.hashes).hasValue(5);
        assertThat(throttled).isEqualTo(195);
        assertThat(refusalOf(() -> all.get(199).get())).isEqualTo(Kind.THROTTLED);
    }

    @Test
    void g2_twoHundredParallelCorrectLogins_areAllAuthenticated_byTwoThreads() {
        List<CompletableFuture<Decision>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(guarded.authenticate(ann("right"), HOME));
        }
        assertThat(all).allSatisfy(each -> assertThat(each.join()).isInstanceOf(Authenticated.class));
        assertThat(plugin.hashes).hasValue(200);
        assertThat(plugin.threads).hasSizeLessThanOrEqualTo(2);
        assertThat(pool.stats().refusedFull() + pool.stats().refusedLate()).isZero();
    }

    @Test
    void g2_twoHundredCorrectLoginsOnAsManyThreads_areAllAuthenticated() throws Exception {
        ExecutorService callers = threadPerTask();
        List<Future<Decision>> all = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        for (int i = 0; i < 200; i++) {
            all.add(callers.submit(() -> {
                start.await();
                return guarded.authenticate(ann("right"), HOME).get();
            }));
        }
        start.countDown();
        for (Future<Decision> each : all) {
            assertThat(each.get()).isInstanceOf(Authenticated.class);
        }
        callers.shutdown();
        assertThat(plugin.threads).allMatch(name -> name.startsWith("latchkey-hash-"));
        assertThat(limits.stats().contended()).isZero();
    }

    /** Virtual threads where the JDK has them. */
    private static ExecutorService threadPerTask() throws ReflectiveOperationException {
        if (Runtime.version().feature() < 21) {
            return Executors.newCachedThreadPool();
        }
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    /** More logins of strangers than the queue has places for, and a closed gate before the hash. */
    private List<CompletableFuture<Decision>> floodThatWaits() {
        plugin.gate = new CountDownLatch(1);
        List<CompletableFuture<Decision>> flood = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            flood.add(guarded.authenticate(
                    new PasswordCredentials("user" + i, Secret.of("wrong")),
                    ClientSource.of("10.0.0." + i).orElseThrow()));
        }
        return flood;
    }

    @Test
    void g4_overloadIsAnOutage_andCostsTheCallerNoAttempt() {
        List<CompletableFuture<Decision>> flood = floodThatWaits();
        CompletableFuture<Decision> refused = guarded.authenticate(ann("right"), HOME);
        assertThat(refusalOf(refused::get)).isEqualTo(Kind.OVERLOAD);
        assertThat(limits.stats().settled().get(AttemptResult.NOT_ATTEMPTED)).isPositive();
        plugin.gate.countDown();
        flood.forEach(each -> each.handle((decision, failure) -> decision).join());
        for (int i = 0; i < 5; i++) {
            assertThat(guarded.authenticate(ann("wrong"), HOME).join()).isInstanceOf(Rejected.class);
        }
    }

    @Test
    void sourceThatHasLoggedInBefore_findsAPlaceWhereStrangersFindNone() {
        guarded.authenticate(ann("right"), HOME).join();
        List<CompletableFuture<Decision>> flood = floodThatWaits();
        assertThat(refusalOf(flood.get(39)::get)).isEqualTo(Kind.OVERLOAD);
        CompletableFuture<Decision> known = guarded.authenticate(ann("right"), HOME);
        plugin.gate.countDown();
        assertThat(known.join()).isInstanceOf(Authenticated.class);
    }

    @Test
    void outageOfTheStoreCostsTheCallerNoAttempt() {
        plugin.down = true;
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Decision> login = guarded.authenticate(ann("right"), HOME);
            assertThat(refusalOf(login::get)).isEqualTo(Kind.OUTAGE);
        }
        plugin.down = false;
        assertThat(guarded.authenticate(ann("right"), HOME).join()).isInstanceOf(Authenticated.class);
    }

    @Test
    void exceptionOfAPluginIsNoWayRoundTheLimits() {
        PasswordCredentials broken = new PasswordCredentials("broken", Secret.of("any"));
        for (int i = 0; i < 5; i++) {
            CompletableFuture<Decision> login = guarded.authenticate(broken, HOME);
            assertThatThrownBy(login::get).hasCauseInstanceOf(IllegalStateException.class);
        }
        assertThat(refusalOf(() -> guarded.authenticate(broken, HOME).get())).isEqualTo(Kind.THROTTLED);
    }

    @Test
    void g7_everyWayInIsLimited_alsoOneThatForgetsTheSource() {
        AuthChain forgetful = AuthChain.of(guarded);
        for (int i = 0; i < 101; i++) {
            assertThat(forgetful.authenticate(ann("wrong"))).isInstanceOf(Rejected.class);
        }
        assertThat(refusalOf(() -> forgetful.authenticate(ann("right")))).isEqualTo(Kind.THROTTLED);
        assertThat(plugin.hashes).hasValue(101);
    }

    @Test
    void guardedPluginInsideAGuardedChainCountsOnce() {
        AuthChain chain = AuthChain.of(guarded);
        for (int i = 0; i < 5; i++) {
            Verdict verdict = guard.authenticate(chain, ann("wrong"), HOME, 0).join();
            assertThat(verdict).isInstanceOf(Rejected.class);
        }
        assertThat(limits.stats().admitted()).isEqualTo(5);
    }

    @Test
    void g1_knownHitPassesEveryLimit() {
        GuardedAuthPlugin cached =
                guarded.withHits(credentials -> credentials.password().matches(plugin.right)
                        ? Optional.of(Authenticated.as(Subject.of("ann")))
                        : Optional.empty());
        for (int i = 0; i < 6; i++) {
            cached.authenticate(ann("wrong"), HOME)
                    .handle((decision, failure) -> decision)
                    .join();
        }
        assertThat(refusalOf(() -> cached.authenticate(ann("wrong"), HOME).get()))
                .isEqualTo(Kind.THROTTLED);
        assertThat(cached.authenticate(ann("right"), HOME).join()).isInstanceOf(Authenticated.class);
        assertThat(cached.authenticate(ann("right"))).isInstanceOf(Authenticated.class);
    }

    @Test
    void otherKindsOfCredentialsGoStraightToThePlugin() {
        assertThat(guarded.authenticate(new BearerToken(Secret.of("token")))).isInstanceOf(Abstained.class);
        assertThat(limits.stats().admitted()).isZero();
    }

    @Test
    void shapeIsCheckedBeforeAnythingElse() {
        PasswordCredentials longName = new PasswordCredentials("a".repeat(321), Secret.of("any"));
        PasswordCredentials longPassword = new PasswordCredentials("ann", Secret.of("a".repeat(4097)));
        assertThat(guarded.authenticate(longName, HOME).join()).isInstanceOf(Rejected.class);
        assertThat(guarded.authenticate(longPassword, HOME).join()).isInstanceOf(Rejected.class);
        assertThat(plugin.hashes).hasValue(0);
        PasswordCredentials longest = new PasswordCredentials("a".repeat(320), Secret.of("a".repeat(4096)));
        assertThat(guarded.authenticate(longest, HOME).join()).isInstanceOf(Rejected.class);
        assertThat(plugin.hashes).hasValue(1);
    }

    @Test
    void callerThatWentAwayBeforeTheHashLeavesTheQueue_andItsTokenComesBack() {
        plugin.gate = new CountDownLatch(1);
        List<CompletableFuture<Decision>> running = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            running.add(guarded.authenticate(
                    new PasswordCredentials("user" + i, Secret.of("wrong")), ClientSource.UNKNOWN));
        }
        while (pool.stats().running() < 2) {
            Thread.onSpinWait();
        }
        guarded.authenticate(ann("right"), HOME).cancel(false);
        assertThat(pool.stats().queued()).isZero();
        assertThat(limits.stats().settled().get(AttemptResult.NOT_ATTEMPTED)).isEqualTo(1);
        plugin.gate.countDown();
        running.forEach(CompletableFuture::join);
        assertThat(plugin.hashes).hasValue(2);
    }

    @Test
    void callerThatWentAwayDuringTheHashHasSpentItsAttemptAllTheSame() {
        for (int i = 0; i < 5; i++) {
            plugin.gate = new CountDownLatch(1);
            int before = plugin.hashes.get();
            CompletableFuture<Decision> login = guarded.authenticate(ann("wrong"), HOME);
            while (plugin.hashes.get() == before) {
                Thread.onSpinWait();
            }
            login.cancel(false);
            plugin.gate.countDown();
        }
        CompletableFuture<Decision> sixth = guarded.authenticate(ann("wrong"), HOME);
        assertThat(refusalOf(sixth::get)).isEqualTo(Kind.THROTTLED);
    }

    @Test
    void credentialsAppearInNoTextOfARefusal() {
        for (int i = 0; i < 5; i++) {
            guarded.authenticate(ann("wrong"), HOME).join();
        }
        CompletableFuture<Decision> refused = guarded.authenticate(ann("wrong"), HOME);
        assertThatThrownBy(refused::get).message().doesNotContain("ann", "wrong", "192.0.2.1");
        assertThat(new LoginAttempt("hunter2", HOME).toString()).doesNotContain("hunter2");
    }
}
