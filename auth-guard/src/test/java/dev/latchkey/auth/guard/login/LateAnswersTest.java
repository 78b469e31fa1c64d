package dev.latchkey.auth.guard.login;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
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
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Buckets across a network: a token in transit is neither lost nor counted twice, however late the answer comes. */
class LateAnswersTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final String HASH = Attempts.Account.ANN.hash();
    private static final Duration WINDOW = Duration.ofMinutes(5);

    private final ManualTime time = new ManualTime();
    private final SlowStore store = new SlowStore(LocalBucketStore.create(time));
    private final LoginLimits limits = LoginLimits.shared(
            LoginLimitSettings.defaults()
                    .with(LoginBucket.ACCOUNT_AND_SOURCE, LimitWindow.of(1, WINDOW))
                    .with(LoginBucket.KNOWN_CLIENT, LimitWindow.of(1, WINDOW)),
            store,
            Secret.of("k".repeat(32)),
            time,
            GuardListener.NONE);
    private final Attempts attempts = new Attempts(limits);

    private CompletableFuture<Admission> reserve(String name) {
        return limits.reserve(new LoginAttempt(name, HOME), null);
    }

    @Test
    void emptyBucketWithATokenInTransit_letsTheNextLoginWait() {
        store.slow = "login-account-source";
        CompletableFuture<Admission> first = reserve("ann");
        CompletableFuture<Admission> second = reserve("ann");
        store.answerLast();
        assertThat(second).isNotDone();
        store.slow = "";
        store.answerAll();
        first.join().orThrow().settle(AttemptResult.NOT_ATTEMPTED, null);
        assertThat(second).isCompletedWithValueMatching(Admission.Admitted.class::isInstance);
    }

    @Test
    void emptyBucketThatTwoAskAtOnce_refusesBoth_whenTheLastAnswerIsThere() {
        store.slow = "";
        reserve("ann").join().orThrow().settle(AttemptResult.FAILED, null);
        store.slow = "login-account-source";
        CompletableFuture<Admission> first = reserve("ann");
        CompletableFuture<Admission> second = reserve("ann");
        store.answerLast();
        assertThat(second).isNotDone();
        store.slow = "";
        store.answerAll();
        for (CompletableFuture<Admission> each : List.of(first, second)) {
            assertThat(each)
                    .isCompletedWithValueMatching(answer ->
                            answer instanceof Admission.Refused no && no.limit() == LoginLimit.ACCOUNT_AND_SOURCE);
        }
        assertThat(limits.stats().waiting()).isZero();
        assertThat(limits.stats().contended()).isZero();
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void loginRefusedAtItsDeadline_costsNothing_whenTheTokenOfItsAccountComesLater() {
        Reservation first = reserve("ann").join().orThrow();
        assertThat(first.found(HASH).join()).isInstanceOf(Admission.Admitted.class);
        Reservation second = reserve("ann.alias").join().orThrow();
        CompletableFuture<Admission> found = second.found(HASH);
        Duration longest = LoginLimitSettings.defaults().waiting().longest();
        time.advance(longest.minusMillis(50));
        assertThat(found).isNotDone();
        store.slow = "login-account-source";
        first.settle(AttemptResult.NOT_ATTEMPTED, null);
        time.advance(Duration.ofMillis(50));
        assertThat(found).isCompletedWithValueMatching(Admission.Refused.class::isInstance);
        store.slow = "";
        store.answerAll();
        second.settle(AttemptResult.NOT_ATTEMPTED, null);
        assertThat(limits.stats().settled())
                .containsEntry(AttemptResult.NOT_ATTEMPTED, 2L)
                .doesNotContainEntry(AttemptResult.FAILED, 1L);
    }

    @Test
    void guessAtAnEmptyBucket_isRefusedByTheLimit_whileAnotherGuessStillAsks_andNoThreadMayWait() {
        store.slow = "";
        reserve("ann").join().orThrow().settle(AttemptResult.FAILED, null);
        store.slow = "login-account-source";
        CompletableFuture<Admission> asks = reserve("ann");
        store.slow = "";
        WaitingThreads full = WaitingThreads.atMost(1);
        assertThat(full.enter()).isTrue();
        LoginLimitGate logins = new LoginLimitGate(limits, full, () -> HOME);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> logins.begin("ann", "another"))
                    .isInstanceOfSatisfying(AuthUnavailableException.class, refusal -> {
                        assertThat(refusal.kind()).isEqualTo(AuthUnavailableException.Kind.THROTTLED);
                        assertThat(refusal.retryAfter())
                                .hasValueSatisfying(after -> assertThat(after).isGreaterThan(Duration.ofMinutes(4)));
                    });
        }
        store.answerAll();
        assertThat(asks).isCompletedWithValueMatching(Admission.Refused.class::isInstance);
        assertThat(limits.stats().waiting()).isZero();
        assertThat(limits.stats().contended()).isZero();
    }

    @ParameterizedTest
    @EnumSource(AttemptResult.class)
    void tokenOfAKnownPairThatComesAfterItsLoginHasEnded_goesTheWayOfThatLogin(AttemptResult result) {
        Reservation login = openLoginOfAKnownPair();
        Consumer<Boolean> answered = passed -> {};
        if (result == AttemptResult.CHALLENGED) {
            answered = login.settleChallenged();
        } else {
            login.settle(result, "any");
        }
        store.slow = "";
        store.answerAll();
        boolean isSpentForGood = result == AttemptResult.FAILED || result == AttemptResult.OVERLOADED;
        assertThat(store.out).isEqualTo(isSpentForGood || result == AttemptResult.CHALLENGED ? 2 : 0);
        answered.accept(true);
        answered.accept(true);
        answered.accept(false);
        assertThat(store.out).isEqualTo(isSpentForGood ? 2 : 0);
        assertThat(limits.stats().contended()).isZero();
        assertThat(attempts.guesses(10, "ann", HOME)).isEqualTo(isSpentForGood ? 0 : 1);
    }

    @Test
    void failedChallenge_givesNothingBack_afterAnyLaterAnswer() {
        Reservation login = openLoginOfAKnownPair();
        Consumer<Boolean> answered = login.settleChallenged();
        answered.accept(false);
        answered.accept(true);
        store.slow = "";
        store.answerAll();
        assertThat(store.out).isEqualTo(2);
        assertThat(limits.stats().settled())
                .containsEntry(AttemptResult.FAILED, 1L)
                .containsEntry(AttemptResult.CHALLENGED, 1L);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void secondStepOfAKnownPair_thatNoThreadMayWaitFor_leavesNothingOpen() {
        WaitingThreads full = WaitingThreads.atMost(1);
        assertThat(full.enter()).isTrue();
        assertThat(refusedSecondStepOfAKnownPair(full, () -> {}).kind())
                .isEqualTo(AuthUnavailableException.Kind.OVERLOAD);
        assertNothingIsOpen();
    }

    @Test
    void secondStepOfAKnownPair_whoseWaitIsInterrupted_leavesNothingOpen() {
        Runnable interrupt = () -> Thread.currentThread().interrupt();
        assertThat(refusedSecondStepOfAKnownPair(WaitingThreads.atMost(1), interrupt)
                        .kind())
                .isEqualTo(AuthUnavailableException.Kind.OUTAGE);
        assertThat(Thread.interrupted()).isTrue();
        assertNothingIsOpen();
    }

    /** The password is right and a step is wanted, while the store does not answer. */
    private AuthUnavailableException refusedSecondStepOfAKnownPair(WaitingThreads waiting, Runnable beforeTheStep) {
        attempts.admits("ann", HOME, "right");
        store.slow = "login-account-source";
        LoginLimitGate logins = new LoginLimitGate(limits, waiting, () -> HOME);
        return catchThrowableOfType(
                AuthUnavailableException.class,
                () -> logins.decide(new PasswordCredentials("ann", Secret.of("right")), "ann", () -> {
                    logins.requireFound(HASH);
                    beforeTheStep.run();
                    return Challenged.by(Authenticated.as(Subject.of("ann")), "otp");
                }));
    }

    private void assertNothingIsOpen() {
        store.slow = "";
        store.answerAll();
        assertThat(store.out).isZero();
        assertThat(limits.stats().waiting()).isZero();
        assertThat(limits.stats().contended()).isZero();
    }

    /** By the name and by the found hash. Both tokens are requested, and both answers are outstanding. */
    private Reservation openLoginOfAKnownPair() {
        attempts.admits("ann", HOME, "right");
        Reservation login = requireNonNull(limits.reserveKnown("ann", HOME));
        assertThat(login.found(HASH).join()).isInstanceOf(Admission.Admitted.class);
        store.slow = "login-known-client";
        CompletableFuture<Admission> other = reserve("ann");
        assertThat(other).isNotDone();
        other.cancel(false);
        return login;
    }

    /** Answers at once, except for the buckets of one policy: these have decided, and their answers are outstanding. */
    private static final class SlowStore implements BucketStore {

        private final BucketStore store;
        private final ArrayDeque<Runnable> answers = new ArrayDeque<>();
        private String slow = "";
        /** Tokens of known pairs that were taken and have not come back. */
        private int out;

        SlowStore(BucketStore store) {
            this.store = store;
        }

        @Override
        public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
            CompletionStage<BucketTake> answer = store.take(policy, key);
            boolean taken = answer.toCompletableFuture().join().taken();
            out += taken && policy.name().equals("login-known-client") ? 1 : 0;
            if (!policy.name().equals(slow)) {
                return answer;
            }
            CompletableFuture<BucketTake> later = new CompletableFuture<>();
            answers.add(() -> answer.thenAccept(later::complete));
            return later;
        }

        @Override
        public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
            if (policy.name().equals("login-known-client")) {
                out -= (int) tokens;
            }
            return store.giveBack(policy, key, tokens);
        }

        void answerLast() {
            answers.removeLast().run();
        }

        void answerAll() {
            Queue<Runnable> due = answers;
            for (Runnable next = due.poll(); next != null; next = due.poll()) {
                next.run();
            }
        }
    }
}
