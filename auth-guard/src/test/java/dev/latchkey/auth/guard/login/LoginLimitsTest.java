package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // a test may ask and not care for the answer
class LoginLimitsTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();
    private static final ClientSource ELSEWHERE =
            ClientSource.of("198.51.100.1").orElseThrow();

    private final ManualTime time = new ManualTime();
    private final LocalBucketStore store = LocalBucketStore.create(time);
    private final LoginLimits limits =
            LoginLimits.local(LoginLimitSettings.defaults(), store, time, GuardListener.NONE);

    private static ClientSource source(int n) {
        return ClientSource.of("10." + (n >> 16 & 0xff) + "." + (n >> 8 & 0xff) + "." + (n & 0xff))
                .orElseThrow();
    }

    private CompletableFuture<Admission> reserve(String account, ClientSource source) {
        return limits.reserve(new LoginAttempt(account, source), null);
    }

    private AttemptOutcome attempt(String account, ClientSource source, AttemptResult result) {
        Admission admission = reserve(account, source).join();
        if (admission instanceof Admission.Refused refused) {
            return new AttemptOutcome(false, refused.retryAfter());
        }
        admission.orThrow().settle(result, null);
        return new AttemptOutcome(true, Duration.ZERO);
    }

    private boolean fails(String account, ClientSource source) {
        return attempt(account, source, AttemptResult.FAILED).admitted();
    }

    private boolean succeeds(String account, ClientSource source) {
        return attempt(account, source, AttemptResult.SUCCEEDED).admitted();
    }

    private record AttemptOutcome(boolean admitted, Duration retryAfter) {}

    private static boolean isAdmitted(CompletableFuture<Admission> future) {
        return future.isDone() && future.join() instanceof Admission.Admitted;
    }

    @Test
    void clientOfALogin_isKnown_despiteFailuresElsewhere_andTakesNothing() {
        assertThat(limits.knows("ann", HOME)).isFalse();
        assertThat(succeeds("ann", HOME)).isTrue();
        assertThat(fails("ann", ELSEWHERE)).isTrue();

        assertThat(limits.knows("ann", HOME)).isTrue();
        assertThat(limits.knows("ann", ELSEWHERE)).isFalse();
        assertThat(limits.knows("bob", HOME)).isFalse();
        for (int i = 0; i < 5; i++) {
            assertThat(limits.knows("ann", HOME)).isTrue();
            assertThat(fails("ann", HOME)).isTrue();
        }
    }

    @Test
    void fiveFailuresInFiveMinutes_thenOneMoreEachMinute() {
        for (int i = 0; i < 5; i++) {
            assertThat(fails("ann", HOME)).isTrue();
        }
        assertThat(attempt("ann", HOME, AttemptResult.FAILED))
                .isEqualTo(new AttemptOutcome(false, Duration.ofMinutes(1)));
        time.advance(Duration.ofMinutes(1).minusNanos(1));
        assertThat(fails("ann", HOME)).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(fails("ann", HOME)).isTrue();
        assertThat(fails("ann", HOME)).isFalse();
    }

    @Test
    void patientGuesserIsHeldToTheLongWindow() {
        int guesses = 0;
        for (int minute = 0; minute < 48 * 60; minute++) {
            guesses += fails("ann", HOME) ? 1 : 0;
            time.advance(Duration.ofMinutes(1));
        }
        // The content of the bucket, and the refill in 48 hours.
        assertThat(guesses).isBetween(150, 300);
    }

    @Test
    void successCostsNothing() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(succeeds("ann", HOME)).isTrue();
        }
    }

    @Test
    void unattemptedCheckCostsNothing() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(attempt("ann", HOME, AttemptResult.NOT_ATTEMPTED).admitted())
                    .isTrue();
        }
    }

    @Test
    void spellingsOfPossiblyOneAccount_shareTheirLimit() {
        for (String spelling : List.of("ann", "ANN", " Ann ", "\uff21nn", "aNn")) {
            assertThat(fails(spelling, HOME)).isTrue();
        }
        assertThat(fails("anN", HOME)).isFalse();
        assertThat(fails("anna", HOME)).isTrue();
    }

    @Test
    void twoHundredParallelWrongLogins_areNoMoreChecksThanTheBucketAllows() {
        List<CompletableFuture<Admission>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(reserve("ann", HOME));
        }
        assertThat(all.stream().filter(LoginLimitsTest::isAdmitted)).hasSize(5);
        assertThat(all.stream().filter(CompletableFuture::isDone)).hasSize(5);
        all.stream().limit(5).forEach(each -> settle(each, AttemptResult.FAILED));
        assertThat(all).allMatch(CompletableFuture::isDone);
        assertThat(all.stream().filter(LoginLimitsTest::isAdmitted)).hasSize(5);
        assertThat(limits.stats().waiting()).isZero();
        assertThat(limits.stats().contended()).isZero();
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void twoHundredParallelCorrectLogins_areAllAdmitted() {
        assertThat(admittedInParallel(200, i -> HOME)).isEqualTo(200);
    }

    @Test
    void twoHundredParallelCorrectLoginsFromAsManySources_areAllAdmitted() {
        assertThat(admittedInParallel(200, LoginLimitsTest::source)).isEqualTo(200);
    }

    @Test
    void twoHundredParallelCorrectLogins_areAllAdmitted_whileTheAccountIsInItsSlowBucket() {
        exhaust("ann");
        assertThat(admittedInParallel(200, i -> HOME)).isEqualTo(200);
        assertThat(limits.stats().contended()).isZero();
    }

    /** Logins with the right password, settled one by one in the order of admission. */
    private int admittedInParallel(int number, java.util.function.IntFunction<ClientSource> from) {
        Deque<CompletableFuture<Admission>> open = new ArrayDeque<>();
        for (int i = 0; i < number; i++) {
            open.add(reserve("ann", from.apply(i)));
        }
        int admitted = 0;
        int stuck = 0;
        while (!open.isEmpty() && stuck <= open.size()) {
            CompletableFuture<Admission> next = open.remove();
            if (!next.isDone()) {
                open.add(next);
                stuck++;
            } else if (isAdmitted(next)) {
                settle(next, AttemptResult.SUCCEEDED);
                admitted++;
                stuck = 0;
            }
        }
        return admitted;
    }

    private static void settle(CompletableFuture<Admission> admitted, AttemptResult result) {
        ((Admission.Admitted) admitted.join()).reservation().settle(result, null);
    }

    /** A hundred failures from a hundred sources. */
    private void exhaust(String account) {
        for (int i = 0; i < 100; i++) {
            assertThat(fails(account, source(i))).isTrue();
        }
    }

    @Test
    void accountUnderAttackFromEverywhere_admitsItsOwnerFromAKnownSource() {
        assertThat(succeeds("ann", HOME)).isTrue();
        exhaust("ann");
        for (int i = 0; i < 1_000; i++) {
            fails("ann", source(i));
        }
        assertThat(succeeds("ann", HOME)).isTrue();
    }

    @Test
    void accountUnderAttackFromEverywhere_admitsItsOwnerFromAFreshSource() {
        for (int i = 0; i < 1_000; i++) {
            fails("another" + i, source(i));
        }
        exhaust("ann");
        for (int i = 0; i < 1_000; i++) {
            fails("ann", source(i));
        }
        assertThat(succeeds("ann", ELSEWHERE)).isTrue();
    }

    @Test
    void knownOwnerBehindTheAttackersOwnAddress_isNotKeptOutByFailuresForOtherAccounts() {
        assertThat(succeeds("ann", HOME)).isTrue();
        for (int i = 0; i < 1_000; i++) {
            fails("guess" + i, HOME);
        }
        assertThat(fails("one more", HOME)).isFalse();
        assertThat(succeeds("ann", HOME)).isTrue();
    }

    @Tag("many-times")
    @Test
    void guessersOfAnExhaustedAccountTakeTurns_howeverManySourcesTheyHave() {
        for (int i = 0; i < 1_000; i++) {
            fails("another" + i, source(i));
        }
        exhaust("ann");
        int guesses = 0;
        for (int second = 0; second < 3_600; second++) {
            for (int i = 0; i < 10; i++) {
                guesses += fails("ann", source(1 + (second * 10 + i) % 999)) ? 1 : 0;
            }
            time.advance(Duration.ofSeconds(1));
        }
        // One in five minutes, the first of the lane, and an hour's refill of the account's bucket.
        assertThat(guesses).isBetween(13, 15);
    }

    @Test
    void successOfAnUnknownClient_givesThoseWhoGuessNoFreshHundred() {
        exhaust("ann");
        assertThat(succeeds("ann", ELSEWHERE)).isTrue();
        int guesses = 0;
        for (int i = 0; i < 100; i++) {
            guesses += fails("ann", source(i)) ? 1 : 0;
        }
        assertThat(guesses).isEqualTo(1);
    }

    @Test
    void sourceThatFailsForManyAccountsIsRefused_othersAreNot() {
        for (int i = 0; i < 50; i++) {
            assertThat(fails("user" + i, HOME)).isTrue();
        }
        Admission refused = reserve("user50", HOME).join();
        assertThat(refused)
                .isInstanceOfSatisfying(
                        Admission.Refused.class, no -> assertThat(no.limit()).isEqualTo(LoginLimit.SOURCE));
        assertThat(fails("user50", ELSEWHERE)).isTrue();
    }

    @Test
    void waitingHoldsNoThread_andEnds() {
        for (int i = 0; i < 5; i++) {
            reserve("ann", HOME);
        }
        CompletableFuture<Admission> waiting = reserve("ann", HOME);
        assertThat(limits.stats().waiting()).isEqualTo(1);
        time.advance(Duration.ofSeconds(20).minusNanos(1));
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofNanos(1));
        assertThat(waiting.join()).isInstanceOf(Admission.Refused.class);
        assertThat(limits.stats().waiting()).isZero();
    }

    @Test
    void numberOfThoseThatWaitIsBounded() {
        for (int i = 0; i < 5 + 256; i++) {
            assertThat(reserve("ann", HOME).isDone()).isEqualTo(i < 5);
        }
        assertThat(reserve("ann", HOME).join())
                .isInstanceOfSatisfying(
                        Admission.Refused.class, no -> assertThat(no.limit()).isEqualTo(LoginLimit.WAITING));
    }

    @Test
    void numberOfThoseThatWaitAtAllBucketsTogetherIsBounded() {
        LoginLimits narrow = LoginLimits.local(
                LoginLimitSettings.defaults().withWaiting(new LoginLimitSettings.Waiting(Duration.ofSeconds(20), 2, 3)),
                store,
                time,
                GuardListener.NONE);
        for (String account : List.of("ann", "bob")) {
            for (int i = 0; i < 5; i++) {
                narrow.reserve(new LoginAttempt(account, HOME), null);
            }
        }
        assertThat(narrow.reserve(new LoginAttempt("ann", HOME), null)).isNotDone();
        assertThat(narrow.reserve(new LoginAttempt("ann", HOME), null)).isNotDone();
        assertThat(narrow.reserve(new LoginAttempt("bob", HOME), null)).isNotDone();
        assertThat(narrow.reserve(new LoginAttempt("bob", HOME), null).join())
                .isInstanceOfSatisfying(
                        Admission.Refused.class, no -> assertThat(no.limit()).isEqualTo(LoginLimit.WAITING));
        assertThat(narrow.stats().waiting()).isEqualTo(3);
    }

    @Test
    void callerThatWentAwayLeavesTheLine_andTheNextIsServed() {
        List<CompletableFuture<Admission>> open = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            open.add(reserve("ann", HOME));
        }
        CompletableFuture<Admission> gone = reserve("ann", HOME);
        CompletableFuture<Admission> next = reserve("ann", HOME);
        gone.cancel(false);
        assertThat(limits.stats().waiting()).isEqualTo(1);
        settle(open.get(0), AttemptResult.SUCCEEDED);
        assertThat(isAdmitted(next)).isTrue();
    }

    @Test
    void waitingLogins_areServedInOrder() {
        List<CompletableFuture<Admission>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(reserve("ann", HOME));
        }
        settle(all.get(0), AttemptResult.NOT_ATTEMPTED);
        assertThat(all)
                .map(LoginLimitsTest::isAdmitted)
                .containsExactly(true, true, true, true, true, true, false, false);
    }

    @Test
    void reservationSettledTwiceCountsOnce() {
        Admission.Admitted first = (Admission.Admitted) reserve("ann", HOME).join();
        first.reservation().settle(AttemptResult.FAILED, null);
        first.reservation().settle(AttemptResult.SUCCEEDED, null);
        for (int i = 0; i < 4; i++) {
            assertThat(fails("ann", HOME)).isTrue();
        }
        assertThat(fails("ann", HOME)).isFalse();
    }

    @Test
    void longLineIsServedWithoutDeepRecursion() {
        LoginLimits wide = LoginLimits.local(
                LoginLimitSettings.defaults()
                        .withWaiting(new LoginLimitSettings.Waiting(Duration.ofSeconds(20), 20_000, 20_000)),
                store,
                time,
                GuardListener.NONE);
        List<CompletableFuture<Admission>> all = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            CompletableFuture<Admission> each = wide.reserve(new LoginAttempt("ann", HOME), null);
            // Settles during the admitting call.
            all.add(each);
        }
        all.forEach(each -> each.thenAccept(admission -> admission.orThrow().settle(AttemptResult.SUCCEEDED, null)));
        assertThat(all).allMatch(LoginLimitsTest::isAdmitted);
    }

    @Test
    void statsCountEachOutcome() {
        succeeds("ann", HOME);
        for (int i = 0; i < 6; i++) {
            fails("ann", ELSEWHERE);
        }
        LoginLimitsStats stats = limits.stats();
        assertThat(stats.admitted()).isEqualTo(6);
        assertThat(stats.settled()).containsEntry(AttemptResult.SUCCEEDED, 1L).containsEntry(AttemptResult.FAILED, 5L);
        assertThat(stats.refused()).containsEntry(LoginLimit.ACCOUNT_AND_SOURCE, 1L);
    }
}
