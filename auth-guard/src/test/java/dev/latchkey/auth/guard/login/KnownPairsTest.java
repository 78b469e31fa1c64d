package dev.latchkey.auth.guard.login;

import static dev.latchkey.auth.guard.Until.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.BucketTake;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.ForwardingHeader;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Known pairs without failures: their costs, and the limits of their rights. */
@Tag("long")
class KnownPairsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final ClientSource ELSEWHERE = Attempts.address("198.51.100.1");
    private static final String HASH = Attempts.Account.ANN.hash();
    private static final Attempts.Account OTHER =
            new Attempts.Account("{bcrypt}$2a$10$.a.salt.and.hash.of.another", "other's");

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final Attempts attempts = new Attempts(limits);

    private boolean isKnown(String name, ClientSource source) {
        Reservation login = limits.reserveKnown(name, source);
        if (login != null) {
            login.settle(AttemptResult.NOT_ATTEMPTED, null);
        }
        return login != null;
    }

    @Test
    void pair_isKnownAfterItsFirstSuccess_forThisSpellingAndClient() {
        assertThat(isKnown("ann", HOME)).isFalse();
        attempts.admits("ann", HOME, "right");
        assertThat(isKnown("ann", HOME)).isTrue();
        assertThat(isKnown("Ann", HOME)).isFalse();
        assertThat(isKnown("ann", ELSEWHERE)).isFalse();
        assertThat(isKnown("ann", ClientSource.UNKNOWN)).isFalse();
    }

    @Test
    void stepThatIsAddedAfterALoginThatFailed_makesNoClientKnown() {
        Reservation login =
                limits.reserve(new LoginAttempt("ann", HOME), null).join().orThrow();
        login.settle(AttemptResult.FAILED, "wrong");
        login.stepAdded();
        assertThat(limits.knows("ann", HOME)).isFalse();
    }

    /** One provider's account, and then another's of the same name: each is counted at each login. */
    @Test
    void nameThatTwoAccountsHave_passesTheBucketsEachTime() {
        for (int i = 0; i < 3; i++) {
            Reservation login =
                    limits.reserve(new LoginAttempt("ann", HOME), null).join().orThrow();
            assertThat(login.found("{bcrypt}$2a$10$.a.salt.and.hash.of.the.first")
                            .join())
                    .isInstanceOf(Admission.Admitted.class);
            assertThat(login.found("{bcrypt}$2a$10$.a.salt.and.hash.of.the.second")
                            .join())
                    .isInstanceOf(Admission.Admitted.class);
            login.settle(AttemptResult.SUCCEEDED, "right");
            assertThat(isKnown("ann", HOME)).isFalse();
        }
    }

    @Test
    void pairThatFails_isNotKnownBeforeItsBucketIsFullAgain() {
        attempts.admits("ann", HOME, "right");
        attempts.admits("ann", HOME, "wrong");
        assertThat(isKnown("ann", HOME)).isFalse();
        time.advance(Duration.ofDays(2).minusSeconds(1));
        attempts.admits("ann", HOME, "right");
        assertThat(isKnown("ann", HOME)).isFalse();
        time.advance(Duration.ofSeconds(1));
        attempts.admits("ann", HOME, "right");
        assertThat(isKnown("ann", HOME)).isTrue();
    }

    @Test
    void failureInAnotherSpelling_orOfTheAccountByAnotherName_endsTheKnownPair() {
        attempts.admits("ann", HOME, "right");
        attempts.admits("ANN", HOME, "wrong");
        assertThat(isKnown("ann", HOME)).isFalse();
        attempts.admits("ann", ELSEWHERE, "right");
        attempts.admits("ann@example.org", ELSEWHERE, "wrong");
        assertThat(isKnown("ann", ELSEWHERE)).isFalse();
    }

    @Test
    void failuresOfOthers_takeNothingAway_atMostOneLoginGoesTheLongWay() {
        attempts.admits("ann", HOME, "right");
        for (int i = 0; i < 200; i++) {
            attempts.admits("ann", Attempts.address(i), "wrong" + i);
        }
        // Other known clients may share the mark of failures.
        assertThat(attempts.refusal("ann", HOME, "right")).isNull();
        assertThat(isKnown("ann", HOME)).isTrue();
    }

    @Test
    void pairIsRenewedEveryHour_soThatItsClientStaysRemembered() {
        attempts.admits("ann", HOME, "right");
        time.advance(Duration.ofHours(1).minusNanos(1));
        assertThat(isKnown("ann", HOME)).isTrue();
        time.advance(Duration.ofNanos(1));
        assertThat(isKnown("ann", HOME)).isFalse();
        attempts.admits("ann", HOME, "right");
        assertThat(isKnown("ann", HOME)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 200})
    void parallelWrongLoginsOfAKnownPair_areNoMoreChecksThanItsBucketAllows(int parallel) {
        attempts.admits("ann", HOME, "right");
        assertThat(inParallel(parallel, AttemptResult.FAILED)).isEqualTo(Math.min(20, parallel));
        assertThat(limits.stats().contended()).isZero();
        assertThat(attempts.guesses(50, "ann", HOME)).isEqualTo(20 - Math.min(20, parallel));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 200})
    void parallelRightLoginsOfAKnownPair_areAllChecked(int parallel) {
        attempts.admits("ann", HOME, "right");
        assertThat(inParallel(parallel, AttemptResult.SUCCEEDED)).isEqualTo(parallel);
        assertThat(limits.stats().contended()).isZero();
        assertThat(isKnown("ann", HOME)).isTrue();
        assertThat(attempts.guesses(50, "ann", HOME)).isEqualTo(20);
    }

    @Test
    void loginThatComesWhileTheTokensAreHandedOut_takesNoneOfThem() throws Exception {
        AtomicReference<Runnable> onTake = new AtomicReference<>();
        LocalBucketStore buckets = LocalBucketStore.create(time);
        BucketStore store = new BucketStore() {
            @Override
            public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
                Runnable once = onTake.getAndSet(null);
                if (once != null) {
                    once.run();
                }
                return buckets.take(policy, key);
            }

            @Override
            public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
                return buckets.giveBack(policy, key, tokens);
            }
        };
        LoginLimits slow = LoginLimits.shared(
                LoginLimitSettings.defaults(), store, Secret.of("k".repeat(32)), time, GuardListener.NONE);
        new Attempts(slow).admits("ann", HOME, "right");
        List<Reservation> open = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            open.add(requireNonNull(slow.reserveKnown("ann", HOME)));
        }
        FutureTask<CompletableFuture<Admission>> another =
                new FutureTask<>(() -> slow.reserve(new LoginAttempt("ann", HOME), "another"));
        Thread thread = new Thread(another);
        onTake.set(() -> {
            thread.start();
            until(() -> another.isDone() || thread.getState() == Thread.State.WAITING);
        });
        for (int i = 0; i < open.size(); i++) {
            open.get(i).settle(AttemptResult.FAILED, "wrong" + i);
        }
        assertThat(another.get().join()).isInstanceOf(Admission.Refused.class);
        assertThat(slow.stats().contended()).isZero();
    }

    @Test
    void pairThatIsKnownAgainBesideAnOpenLogin_hasOneTokenLess() {
        attempts.admits("ann", HOME, "right");
        Reservation wrong =
                limits.reserve(new LoginAttempt("ann", HOME), "wrong").join().orThrow();
        attempts.admits("ann", HOME, "right");
        List<Reservation> open = new ArrayList<>();
        for (Reservation next = limits.reserveKnown("ann", HOME);
                next != null;
                next = limits.reserveKnown("ann", HOME)) {
            open.add(next);
        }
        assertThat(open).hasSize(19);
        wrong.settle(AttemptResult.FAILED, "wrong");
        for (int i = 0; i < open.size(); i++) {
            open.get(i).settle(AttemptResult.FAILED, "wrong" + i);
        }
        assertThat(limits.stats().contended()).isZero();
        assertThat(attempts.guesses(50, "ann", HOME)).isZero();
    }

    @Test
    void spellingsAndNamesOfOneAccount_haveTheTokensOfOnePairTogether() {
        List<String> names = List.of("ann", "Ann", "ANN", "ann@example.org");
        names.forEach(name -> attempts.admits(name, HOME, "right"));
        List<Reservation> open = new ArrayList<>();
        for (String name : names) {
            for (Reservation next = limits.reserveKnown(name, HOME);
                    next != null;
                    next = limits.reserveKnown(name, HOME)) {
                open.add(next);
            }
        }
        for (int i = 0; i < open.size(); i++) {
            assertThat(open.get(i).found(HASH).join()).isInstanceOf(Admission.Admitted.class);
            open.get(i).settle(AttemptResult.FAILED, "wrong" + i);
        }
        int later = 0;
        for (String name : names) {
            later += attempts.guesses(50, name, HOME);
        }
        assertThat(open.size() + later).isEqualTo(20);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void loginsThatAreOpenUnderOneSpelling_areCountedForTheNext() {
        attempts.admits("ann", HOME, "right");
        for (int i = 0; i < 5; i++) {
            requireNonNull(limits.reserveKnown("ann", HOME));
        }
        attempts.admits("Ann", HOME, "right");
        int open = 0;
        while (limits.reserveKnown("Ann", HOME) != null) {
            open++;
        }
        assertThat(open).isEqualTo(15);
    }

    @Test
    void loginThatEnds_letsOneMoreIn_andIsCounted() {
        attempts.admits("ann", HOME, "right");
        Reservation first = requireNonNull(limits.reserveKnown("ann", HOME));
        for (int i = 1; i < 20; i++) {
            requireNonNull(limits.reserveKnown("ann", HOME));
        }
        assertThat(limits.reserveKnown("ann", HOME)).isNull();
        first.settle(AttemptResult.SUCCEEDED, null);
        assertThat(limits.reserveKnown("ann", HOME)).isNotNull();
        assertThat(limits.reserveKnown("ann", HOME)).isNull();
        assertThat(limits.stats().settled()).containsEntry(AttemptResult.SUCCEEDED, 2L);
    }

    @Test
    void failureOfAKnownPair_countsForItsAccount_underEveryName() {
        attempts.admits("ann", HOME, "right");
        attempts.admits("ann", HOME, "wrong");
        attempts.admits("ann@example.org", HOME, "right");
        assertThat(isKnown("ann@example.org", HOME)).isFalse();
    }

    @Test
    void pairWhoseBucketAnotherNodeHasEmptied_isRefusedFromItsFirstFailureOn_andLeavesNothingOpen() {
        LocalBucketStore buckets = LocalBucketStore.create(time);
        LoginLimits here = node(buckets);
        LoginLimits there = node(buckets);
        new Attempts(here).admits("ann", HOME, "right");
        new Attempts(there).admits("ann", HOME, "right");
        Reservation open = requireNonNull(here.reserveKnown("ann", HOME));
        assertThat(new Attempts(there).guesses(50, "ann", HOME)).isEqualTo(20);
        open.settle(AttemptResult.FAILED, "another");
        assertThat(here.stats().contended()).isZero();
        assertThat(new Attempts(here).guesses(50, "ann", HOME)).isZero();
    }

    private LoginLimits node(BucketStore shared) {
        return LoginLimits.shared(
                LoginLimitSettings.defaults(), shared, Secret.of("k".repeat(32)), time, GuardListener.NONE);
    }

    @Test
    void oneFailureAmongParallelRightLogins_costsOneToken() {
        attempts.admits("ann", HOME, "right");
        List<Reservation> open = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            open.add(attempts.reserve("ann", HOME, null).join().orThrow());
        }
        open.get(0).settle(AttemptResult.FAILED, "wrong");
        open.stream().skip(1).forEach(each -> each.settle(AttemptResult.SUCCEEDED, null));
        assertThat(limits.stats().contended()).isZero();
        assertThat(attempts.guesses(50, "ann", HOME)).isEqualTo(19);
    }

    @Test
    void settlingOnceTooOften_changesNothing() {
        attempts.admits("ann", HOME, "right");
        Reservation login = attempts.reserve("ann", HOME, null).join().orThrow();
        for (int i = 0; i < 5; i++) {
            login.settle(AttemptResult.SUCCEEDED, null);
        }
        login.settle(AttemptResult.FAILED, "wrong");
        assertThat(attempts.guesses(50, "ann", HOME)).isBetween(19, 20);
        assertThat(limits.stats().contended()).isZero();
    }

    /** All ask first. Then each admitted login settles, in the order of admission. */
    private int inParallel(int number, AttemptResult result) {
        List<CompletableFuture<Admission>> all = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            all.add(attempts.reserve("ann", HOME, null));
        }
        int checks = 0;
        for (CompletableFuture<Admission> each : all) {
            if (each.join() instanceof Admission.Admitted admitted
                    && admitted.reservation().found(HASH).join() instanceof Admission.Admitted) {
                checks++;
                admitted.reservation().settle(result, null);
            }
        }
        return checks;
    }

    @Test
    void otherAccountUnderTheSameName_isAskedForLikeAnyOther() {
        attempts.admits("ann", HOME, "right");
        int guesses = 0;
        for (int i = 0; i < 50; i++) {
            guesses += attempts.refusal("ann", HOME, "wrong" + i, OTHER) == null ? 1 : 0;
        }
        assertThat(guesses).isEqualTo(5);
        assertThat(limits.stats().contended()).isZero();
    }

    /** The owner has changed the password, and the new hash is under attack. */
    @Test
    void changedPasswordThatIsRefused_costsTheKnownPairNothing() {
        attempts.admits("ann", HOME, "right");
        Reservation login = requireNonNull(limits.reserveKnown("ann", HOME));
        failAt(OTHER);
        assertThat(login.found(OTHER.hash()).join()).isInstanceOf(Admission.Refused.class);
        login.settle(AttemptResult.NOT_ATTEMPTED, null);
        assertThat(limits.stats().settled()).containsEntry(AttemptResult.FAILED, 5L);
        assertThat(limits.stats().contended()).isZero();
        assertThat(attempts.guesses(50, "ann", HOME)).isEqualTo(20);
    }

    @Test
    void secondAccountThatIsRefused_makesGuessesOfAKnownPairNoCheaper() {
        attempts.admits("ann", HOME, "right");
        Reservation login = requireNonNull(limits.reserveKnown("ann", HOME));
        failAt(OTHER);
        assertCostsAGuess(login);
        assertThat(attempts.guesses(50, "ann", HOME)).isEqualTo(19);
    }

    @Test
    void secondAccountThatIsRefused_makesGuessesOfARetiredPairNoCheaper() {
        attempts.admits("ann", HOME, "right");
        Reservation login = requireNonNull(limits.reserveKnown("ann", HOME));
        failAt(OTHER);
        attempts.admits("Ann", HOME, "right");
        assertThat(isKnown("ann", HOME)).isFalse();
        assertCostsAGuess(login);
    }

    private void assertCostsAGuess(Reservation login) {
        assertThat(login.found(HASH).join()).isInstanceOf(Admission.Admitted.class);
        assertThat(login.found(OTHER.hash()).join()).isInstanceOf(Admission.Refused.class);
        login.settle(AttemptResult.NOT_ATTEMPTED, null);
        assertThat(limits.stats().settled()).containsEntry(AttemptResult.FAILED, 6L);
        assertThat(limits.stats().contended()).isZero();
    }

    /** Five failures under another name, so the pair stays known. */
    private void failAt(Attempts.Account account) {
        for (int i = 0; i < 5; i++) {
            assertThat(attempts.refusal("other", HOME, "wrong" + i, account)).isNull();
        }
    }

    @Test
    void changedLimit_holdsForThePairsThatAreKnown() {
        attempts.admits("ann", HOME, "right");
        limits.change(LoginBucket.KNOWN_CLIENT, 0, LimitWindow.of(3, Duration.ofMinutes(5)));
        attempts.admits("ann", HOME, "right");
        assertThat(inParallel(50, AttemptResult.FAILED)).isEqualTo(3);
    }

    @Test
    void namesOfAnyLength_areLimitedAndCostBoundedWork() {
        String name = "a".repeat(1 << 20);
        assertThat(isKnown(name, HOME)).isFalse();
        assertThat(attempts.guesses(10, name, HOME)).isEqualTo(5);
        assertThat(attempts.refusal(name + "b", HOME, "any", null)).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    @Tag("many-times")
    @Test
    void slotsAreBounded_andWhoseWasTaken_goesTheLongWay() {
        int moreThanThereAre = 40_000;
        for (int i = 0; i < moreThanThereAre; i++) {
            attempts.refusal(
                    "user" + i, HOME, "right", new Attempts.Account("{bcrypt}$2a$10$.a.salt.and.hash" + i, "right"));
        }
        int known = 0;
        for (int i = 0; i < moreThanThereAre; i++) {
            known += isKnown("user" + i, HOME) ? 1 : 0;
        }
        assertThat(known).isBetween(1 << 12, 1 << 13);
        assertThat(attempts.refusal(
                        "user0", HOME, "right", new Attempts.Account("{bcrypt}$2a$10$.a.salt.and.hash0", "right")))
                .isNull();
    }

    @Tag("many-threads")
    @Test
    void pairsAreUsedByManyThreadsAtOnce_andNothingStaysOpen() throws Exception {
        attempts.admits("ann", HOME, "right");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> all = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            boolean now = t == 0;
            all.add(threads.submit(() -> {
                for (int i = 0; i < 5_000; i++) {
                    Reservation login =
                            attempts.reserve("ann", HOME, null).get().orThrow();
                    login.found(HASH).get();
                    boolean fails = now && i % 1_000 == 999;
                    login.settle(fails ? AttemptResult.FAILED : AttemptResult.SUCCEEDED, "wrong" + i);
                }
                return null;
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
        threads.shutdown();
        assertThat(limits.stats().contended()).isZero();
        assertThat(limits.stats().settled()).containsEntry(AttemptResult.FAILED, 5L);
        assertThat(attempts.guesses(50, "ann", HOME)).isEqualTo(15);
    }

    @Tag("many-times")
    @Test
    void knownPairCostsNoObject() {
        attempts.admits("ann", HOME, "right");
        assertAllocatesNothing(() -> {
            Reservation login = limits.reserveKnown("ann", HOME);
            if (login == null || !login.found(HASH).isDone()) {
                throw new AssertionError("not known");
            }
            login.settle(AttemptResult.SUCCEEDED, null);
        });
    }

    @Tag("many-times")
    @Test
    void knownPairOfAThreadThatDecidesCostsOneSmallObject() {
        attempts.admits("ann", HOME, "right");
        TrustedProxies proxies = TrustedProxies.none();
        LoginLimitGate logins = new LoginLimitGate(
                limits, WaitingThreads.atMost(1), () -> proxies.sourceOf("192.0.2.1", name -> List.of()));
        // The thread's CurrentLogin, which an inner login cannot change.
        assertAllocatesAtMost(32, () -> {
            Reservation login = logins.begin("ann", "right");
            logins.requireFound(HASH);
            if (login == null) {
                throw new AssertionError("within another login");
            }
            logins.end(login, AttemptResult.SUCCEEDED, "right");
        });
        assertThat(limits.stats().settled().get(AttemptResult.SUCCEEDED)).isGreaterThan(100_000);
    }

    @Tag("many-times")
    @Test
    void sourceBehindAConfiguredProxyCostsNoObject() {
        TrustedProxies proxies = TrustedProxies.of(ForwardingHeader.X_FORWARDED_FOR, List.of("10.0.0.0/8"));
        List<String> forwarded = List.of("192.0.2.1");
        HeaderFields headers = name -> forwarded;
        ClientSource source = proxies.sourceOf("10.0.0.7", headers);
        assertAllocatesNothing(() -> {
            if (!proxies.sourceOf("10.0.0.7", headers).equals(source)) {
                throw new AssertionError("another source");
            }
        });
    }

    /**
     * Less than a byte for each round: objects of the JVM do not count. The compiler removes unneeded objects, and needs time
     * for this on a busy machine.
     */
    private static void assertAllocatesNothing(Runnable round) {
        assertAllocatesAtMost(0, round);
    }

    private static void assertAllocatesAtMost(int bytes, Runnable round) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        int rounds = 100_000;
        long least = Long.MAX_VALUE;
        long latest = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        long most = (bytes + 1L) * rounds;
        while (least >= most && System.nanoTime() < latest) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < rounds; i++) {
                round.run();
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(least).isLessThan(most);
    }
}
