package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.BucketTake;
import dev.latchkey.auth.guard.bucket.LimitKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A login that was woken for a token and does not take the token: the token does not wait for an ignorant login. */
class LoginTurnsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");

    private final ManualTime time = new ManualTime();
    private final LoginLimitSettings settings = LoginLimitSettings.defaults()
            .with(LoginBucket.SOURCE, LimitWindow.of(3, Duration.ofMinutes(5)))
            .with(LoginBucket.ACCOUNT_AND_SOURCE, LimitWindow.of(2, Duration.ofMinutes(5)));
    private final List<GuardEvent> events = new ArrayList<>();
    private final LoginLimits limits = LoginLimits.local(settings, time, events::add);

    private CompletableFuture<Admission> reserve(String name) {
        return limits.reserve(new LoginAttempt(name, HOME), null);
    }

    private static void settle(CompletableFuture<Admission> login, AttemptResult result) {
        login.join().orThrow().settle(result, null);
    }

    @Test
    void loginOfANewlyKnownClient_leavesItsTokenToTheNext() {
        CompletableFuture<Admission> first = reserve("ann");
        CompletableFuture<Admission> second = reserve("ann");
        CompletableFuture<Admission> third = reserve("ann");
        CompletableFuture<Admission> fourth = reserve("ann");
        assertThat(third).isNotDone();
        assertThat(fourth).isNotDone();
        settle(first, AttemptResult.SUCCEEDED);
        assertThat(third).isCompletedWithValueMatching(Admission.Admitted.class::isInstance);
        assertThat(fourth).isCompletedWithValueMatching(Admission.Admitted.class::isInstance);
        settle(second, AttemptResult.FAILED);
    }

    @Test
    void loginStoppedAtAnEarlierBucket_keepsNoTokenOfALaterBucket() {
        CompletableFuture<Admission> first = reserve("ann");
        CompletableFuture<Admission> second = reserve("ann");
        CompletableFuture<Admission> third = reserve("ann");
        CompletableFuture<Admission> fourth = reserve("ann");
        reserve("bob").join().orThrow();
        CompletableFuture<Admission> other = reserve("eve");
        assertThat(other).isNotDone();
        settle(first, AttemptResult.NOT_ATTEMPTED);
        assertThat(third).isNotDone();
        settle(other, AttemptResult.NOT_ATTEMPTED);
        assertThat(third).isCompletedWithValueMatching(Admission.Admitted.class::isInstance);
        assertThat(fourth).isNotDone();
        assertThat(second).isDone();
    }

    @Test
    void loginThatIsWokenAndHasGoneAway_leavesTheTokenToTheNext() {
        CompletableFuture<Admission> first = reserve("ann");
        CompletableFuture<Admission> second = reserve("ann");
        CompletableFuture<Admission> third = reserve("ann");
        CompletableFuture<Admission> fourth = reserve("ann");
        CompletableFuture<Admission> fifth = reserve("ann");
        CompletableFuture<Void> chain = third.thenAccept(admission -> {
            admission.orThrow().settle(AttemptResult.NOT_ATTEMPTED, null);
            fourth.cancel(false);
        });
        settle(first, AttemptResult.NOT_ATTEMPTED);
        assertThat(chain).isCompleted();
        assertThat(fifth).isCompletedWithValueMatching(Admission.Admitted.class::isInstance);
        assertThat(second).isDone();
    }

    @Test
    void waitedLogin_isReportedWithItsTimeAndLimit() {
        CompletableFuture<Admission> first = reserve("ann");
        reserve("ann").join().orThrow();
        CompletableFuture<Admission> third = reserve("ann");
        CompletableFuture<Admission> fourth = reserve("ann");
        events.clear();
        time.advance(Duration.ofSeconds(5));
        settle(first, AttemptResult.NOT_ATTEMPTED);
        assertThat(third).isDone();
        time.advance(Duration.ofSeconds(15));
        assertThat(fourth)
                .isCompletedWithValue(new Admission.Refused(LoginLimit.ACCOUNT_AND_SOURCE, Duration.ofSeconds(1)));
        assertThat(events)
                .containsExactlyInAnyOrder(
                        new GuardEvent.LoginSettled(AttemptResult.NOT_ATTEMPTED),
                        new GuardEvent.LoginAdmitted(Duration.ofSeconds(5)),
                        new GuardEvent.LoginRefused(LoginLimit.ACCOUNT_AND_SOURCE, Duration.ofSeconds(20)));
    }

    @Test
    void brokenStore_failsTheLogin_withoutAHeldToken() {
        requireOutage(() -> CompletableFuture.failedFuture(new IllegalStateException("broken")), "broken");
        requireOutage(
                () -> CompletableFuture.completedFuture(null),
                "The store of login limits answered with neither a token nor a refusal");
    }

    @Test
    void storeThatBreaksWhileLoginsWait_failsAllOfThemAtOnce() {
        AtomicBoolean broken = new AtomicBoolean();
        LoginLedger ledger =
                ledger(any -> broken.get(), () -> CompletableFuture.failedFuture(new IOException("broken")));
        BucketedLogin first = login(ledger);
        assertThat(new LimitAcquisition(ledger, first, null).begin()).isCompleted();
        assertThat(new LimitAcquisition(ledger, login(ledger), null).begin()).isCompleted();
        CompletableFuture<Admission> third = new LimitAcquisition(ledger, login(ledger), null).begin();
        CompletableFuture<Admission> fourth = new LimitAcquisition(ledger, login(ledger), null).begin();
        assertThat(fourth).isNotDone();
        broken.set(true);
        first.settle(AttemptResult.NOT_ATTEMPTED, null);
        assertThat(third).isCompletedExceptionally();
        assertThat(fourth).isCompletedExceptionally();
    }

    @Test
    void failedLogin_wakesTheLoginsBehindIt() {
        CompletableFuture<BucketTake> late = new CompletableFuture<>();
        Queue<CompletionStage<BucketTake>> answers = new ArrayDeque<>();
        answers.add(late);
        answers.add(CompletableFuture.completedFuture(BucketTake.denied(Duration.ofMinutes(1))));
        LoginLedger ledger =
                ledger(policy -> !answers.isEmpty() && policy.name().equals("login-account-source"), answers::remove);
        CompletableFuture<Admission> asks = new LimitAcquisition(ledger, login(ledger), null).begin();
        CompletableFuture<Admission> waits = new LimitAcquisition(ledger, login(ledger), null).begin();
        assertThat(waits).isNotDone();
        late.completeExceptionally(new IOException("broken"));
        assertThat(asks).isCompletedExceptionally();
        assertThat(waits).isCompletedWithValueMatching(Admission.Admitted.class::isInstance);
    }

    private void requireOutage(Supplier<CompletionStage<BucketTake>> answer, String rootMessage) {
        LoginLedger ledger = ledger(policy -> policy.name().equals("login-account"), answer);
        for (int i = 0; i < 10; i++) {
            CompletableFuture<Admission> admission = new LimitAcquisition(ledger, login(ledger), null).begin();
            assertThatThrownBy(admission::join)
                    .cause()
                    .isInstanceOf(AuthUnavailableException.class)
                    .satisfies(outage -> assertThat(root(outage)).hasMessage(rootMessage));
            assertThat(ledger.stats().contended()).isZero();
        }
    }

    private static BucketedLogin login(LoginLedger ledger) {
        ClientKeys client = ledger.keys().client(HOME);
        return new BucketedLogin(ledger, client, List.of(ledger.keys().named("ann", "ann", client)), null, 0);
    }

    /** A ledger over a store with this answer for the broken policies. */
    private LoginLedger ledger(Predicate<BucketPolicy> broken, Supplier<CompletionStage<BucketTake>> answer) {
        LocalBucketStore buckets = LocalBucketStore.create(time);
        BucketStore store = new BucketStore() {
            @Override
            public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
                return broken.test(policy) ? answer.get() : buckets.take(policy, key);
            }

            @Override
            public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
                return buckets.giveBack(policy, key, tokens);
            }
        };
        return new LoginLedger(settings, store, time, new GuardEvents(GuardListener.NONE), LimitKeys.random());
    }

    private static Throwable root(Throwable failure) {
        return failure.getCause() == null ? failure : root(failure.getCause());
    }
}
