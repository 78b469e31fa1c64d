package dev.latchkey.auth.guard.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.contract.Race;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of a bucket store, to extend for another store. Each test begins with unused buckets. */
@Timeout(60)
public abstract class BucketStoreContract {

    private static final Duration SHORT = Duration.ofMinutes(5);
    private static final Duration LONG = Duration.ofDays(2);
    private static final BucketPolicy FIVE =
            BucketPolicy.of("five", LimitWindow.of(5, SHORT), LimitWindow.of(12, LONG));
    private static final BucketKey KEY = new BucketKey(0x1234_5678_9abc_def0L, -1);
    private static final int ROUNDS = 200;
    private static final int THREADS = 8;

    private final Race race = new Race();

    /** A node's store; all nodes of a test share the buckets. */
    protected abstract BucketStore node();

    /** Moves the time of the buckets. The time may also pass by itself. */
    protected abstract void advance(Duration duration);

    @AfterEach
    void endThreads() {
        race.close();
    }

    @Test
    void bucketThatWasNeverUsed_isFull() {
        assertThat(taken(node(), FIVE, KEY, 10)).isEqualTo(5);
    }

    @Test
    void emptyBucket_saysWhenItHasAToken() {
        taken(node(), FIVE, KEY, 5);
        Duration each = SHORT.dividedBy(5);
        assertThat(take(node(), FIVE, KEY).retryAfter()).isBetween(each.minusSeconds(20), each);
    }

    @Test
    void tokens_comeBackOneByOne() {
        taken(node(), FIVE, KEY, 5);
        advance(SHORT.dividedBy(5));
        assertThat(taken(node(), FIVE, KEY, 10)).isEqualTo(1);
        advance(SHORT.dividedBy(5).multipliedBy(3));
        assertThat(taken(node(), FIVE, KEY, 10)).isEqualTo(3);
    }

    @Test
    void tokenIsThere_onlyIfEachWindowHasOne_andSaysSo() {
        taken(node(), FIVE, KEY, 5);
        advance(SHORT);
        taken(node(), FIVE, KEY, 5);
        advance(SHORT);
        assertThat(taken(node(), FIVE, KEY, 10)).isEqualTo(2);
        assertThat(take(node(), FIVE, KEY).retryAfter()).isBetween(Duration.ofHours(3), Duration.ofHours(4));
    }

    @Test
    void refusal_takesNothingFromAnyWindow() {
        taken(node(), FIVE, KEY, 100);
        advance(LONG.multipliedBy(2));
        assertThat(taken(node(), FIVE, KEY, 100)).isEqualTo(5);
    }

    @Test
    void bucketNotUsedForItsLongestWindow_isFull() {
        for (int i = 0; i < 3; i++) {
            taken(node(), FIVE, KEY, 5);
            advance(SHORT);
        }
        advance(LONG);
        assertThat(taken(node(), FIVE, KEY, 10)).isEqualTo(5);
        advance(SHORT);
        assertThat(taken(node(), FIVE, KEY, 10)).isEqualTo(5);
    }

    /** A store that drops the long window with the full short window gives a patient attacker unlimited guesses. */
    @Test
    void longWindow_isRememberedWhileTheShortOneIsFull() {
        taken(node(), FIVE, KEY, 5);
        advance(SHORT.multipliedBy(3));
        taken(node(), FIVE, KEY, 5);
        advance(SHORT.multipliedBy(3));
        assertThat(taken(node(), FIVE, KEY, 10)).isEqualTo(2);
    }

    @Test
    void tokensThatAreGivenBack_areThereAgain_onEachNode_andNoMoreThanItHolds() throws Exception {
        BucketStore one = node();
        BucketStore other = node();
        taken(one, FIVE, KEY, 5);
        giveBack(other, 3);
        assertThat(taken(one, FIVE, KEY, 10)).isEqualTo(3);
        giveBack(one, 1_000);
        assertThat(taken(other, FIVE, KEY, 10)).isEqualTo(5);
    }

    @Test
    void tokensThatAreGivenBackToAFullBucket_areNoMoreThanItHolds() throws Exception {
        giveBack(node(), 3);
        assertThat(taken(node(), FIVE, KEY, 10)).isEqualTo(5);
    }

    @Test
    void buckets_areApart_byNameAndByKey() {
        taken(node(), FIVE, KEY, 5);
        BucketPolicy other = new BucketPolicy("other", FIVE.windows());
        assertThat(taken(node(), other, KEY, 10)).isEqualTo(5);
        assertThat(taken(node(), FIVE, new BucketKey(KEY.high(), 0), 10)).isEqualTo(5);
        assertThat(taken(node(), FIVE, new BucketKey(0, KEY.low()), 10)).isEqualTo(5);
        assertThat(taken(node(), FIVE, new BucketKey(0, 0), 10)).isEqualTo(5);
    }

    @Test
    void emptyBucket_isEmptyUnderAnotherPolicy_andUnderItsOwnAgain() {
        taken(node(), FIVE, KEY, 5);
        assertThat(taken(node(), five(10), KEY, 20)).isZero();
        assertThat(taken(node(), five(2), KEY, 20)).isZero();
        assertThat(taken(node(), FIVE, KEY, 20)).isZero();
    }

    @Test
    void shareThatWasSpent_staysSpentUnderAnotherPolicy() {
        BucketPolicy twenty = five(20);
        taken(node(), twenty, KEY, 5);
        // The second window has 7 of 12 left, which counts then.
        assertThat(taken(node(), five(8), KEY, 20)).isEqualTo(6);
    }

    @Test
    void bucket_fillsAtTheRateOfTheLastPolicyThatItWasAskedWith() {
        taken(node(), FIVE, KEY, 5);
        BucketPolicy slow = BucketPolicy.of("five", LimitWindow.of(5, LONG), LimitWindow.of(12, LONG));
        take(node(), slow, KEY);
        advance(SHORT);
        assertThat(take(node(), FIVE, KEY).taken()).isFalse();
        advance(SHORT.dividedBy(4));
        assertThat(take(node(), FIVE, KEY).taken()).isTrue();
    }

    @Test
    void fastLimit_holdsManyTokens() {
        BucketPolicy fast = BucketPolicy.of("fast", LimitWindow.of(1_000_000_000, Duration.ofDays(1)));
        assertThat(taken(node(), fast, KEY, 100)).isEqualTo(100);
        BucketPolicy year = BucketPolicy.of("year", LimitWindow.of(1, Duration.ofDays(365 * 290)));
        assertThat(taken(node(), year, KEY, 3)).isEqualTo(1);
        assertThat(take(node(), year, KEY).retryAfter()).isGreaterThan(Duration.ofDays(365 * 289));
    }

    @Test
    void threadsOfSeveralNodesThatAskAtOnce_getTheTokensOfTheBucket() throws Exception {
        List<BucketStore> nodes = List.of(node(), node(), node());
        for (int round = 0; round < ROUNDS; round++) {
            BucketKey key = new BucketKey(1, round);
            AtomicInteger taken = new AtomicInteger();
            List<Race.Runner> runners = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                BucketStore node = nodes.get(i % nodes.size());
                runners.add(() -> taken.addAndGet(taken(node, FIVE, key, 3)));
            }
            race.run(runners);
            assertThat(taken).as("round %d", round).hasValue(5);
        }
    }

    private static BucketPolicy five(long tokens) {
        return BucketPolicy.of("five", LimitWindow.of(tokens, SHORT), LimitWindow.of(12, LONG));
    }

    private static int taken(BucketStore store, BucketPolicy policy, BucketKey key, int attempts) {
        int taken = 0;
        for (int i = 0; i < attempts; i++) {
            taken += take(store, policy, key).taken() ? 1 : 0;
        }
        return taken;
    }

    private static BucketTake take(BucketStore store, BucketPolicy policy, BucketKey key) {
        try {
            return store.take(policy, key).toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private static void giveBack(BucketStore store, long tokens) throws Exception {
        Object unused = store.giveBack(FIVE, KEY, tokens).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
