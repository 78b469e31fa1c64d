package dev.latchkey.auth.guard.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.guard.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Buckets of two windows, as of nearly all limits, with a changing policy. */
class LocalBucketStoreTest {

    private static final BucketKey KEY = new BucketKey(1, 1);
    private static final BucketPolicy WIDE = policy(20);
    private static final BucketPolicy NARROW = policy(10);

    private final ManualTime time = new ManualTime();
    private final LocalBucketStore store = LocalBucketStore.create(time);

    @Test
    void emptyBucket_isEmptyUnderAnotherPolicy_andUnderItsOwnAgain() {
        assertThat(tokens(WIDE)).isEqualTo(20);
        store.changed(NARROW);
        assertThat(tokens(NARROW)).isZero();
        store.changed(WIDE);
        assertThat(tokens(WIDE)).isZero();
    }

    @Test
    void emptyBucket_isEmpty_whenItIsOnlyAskedWithAnotherPolicy() {
        assertThat(tokens(WIDE)).isEqualTo(20);
        assertThat(tokens(NARROW)).isZero();
        assertThat(tokens(WIDE)).isZero();
    }

    @Test
    void halfEmptyBucket_isHalfEmpty_whenItIsOnlyAskedWithAnotherPolicy() {
        for (int i = 0; i < 10; i++) {
            assertThat(isTaken(WIDE)).isTrue();
        }
        assertThat(tokens(NARROW)).isEqualTo(5);
    }

    @Test
    void halfEmptyBucket_isHalfEmptyUnderAnotherPolicy() {
        for (int i = 0; i < 10; i++) {
            assertThat(isTaken(WIDE)).isTrue();
        }
        store.changed(NARROW);
        assertThat(tokens(NARROW)).isEqualTo(5);
    }

    @Test
    void bucketNotUsedForItsLongestWindow_isForgotten_andNotBefore() {
        isTaken(WIDE);
        time.advance(Duration.ofDays(2).minusNanos(1));
        assertThat(store.size()).isEqualTo(1);
        time.advance(Duration.ofNanos(1));
        assertThat(store.size()).isZero();
    }

    @Test
    void longerWindow_keepsBucketsLonger_andAShorterOneNoShorter() {
        BucketPolicy week = BucketPolicy.of(
                "changing", LimitWindow.of(20, Duration.ofMinutes(5)), LimitWindow.of(200, Duration.ofDays(7)));
        isTaken(WIDE);
        store.changed(week);
        time.advance(Duration.ofDays(6));
        assertThat(store.size()).isEqualTo(1);
        store.changed(WIDE);
        isTaken(WIDE);
        time.advance(Duration.ofDays(6));
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void bucketsOfEachName_areBoundedApart() {
        LocalBucketStore narrow = LocalBucketStore.create(time, 1);
        for (int i = 0; i < 10; i++) {
            narrow.take(WIDE, new BucketKey(1, i));
            narrow.take(BucketPolicy.of("other", LimitWindow.of(1, Duration.ofDays(1))), new BucketKey(1, i));
        }
        assertThat(narrow.size()).isEqualTo(2);
        assertThatThrownBy(() -> LocalBucketStore.create(time, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 0");
    }

    @Test
    void tokensThatAreGivenBack_areThereAgain_andNoMoreThanItHolds() {
        assertThat(tokens(WIDE)).isEqualTo(20);
        assertThat(store.giveBack(WIDE, KEY, 3).toCompletableFuture()).isCompleted();
        assertThat(tokens(WIDE)).isEqualTo(3);
        store.giveBack(WIDE, KEY, 1_000);
        assertThat(tokens(WIDE)).isEqualTo(20);
    }

    @Test
    void emptyBucket_saysWhenItHasAToken() {
        tokens(WIDE);
        assertThat(store.take(WIDE, KEY).toCompletableFuture().join())
                .isEqualTo(BucketTake.denied(Duration.ofSeconds(15)));
    }

    private static BucketPolicy policy(long inShort) {
        return BucketPolicy.of(
                "changing", LimitWindow.of(inShort, Duration.ofMinutes(5)), LimitWindow.of(200, Duration.ofDays(2)));
    }

    private int tokens(BucketPolicy policy) {
        int tokens = 0;
        while (isTaken(policy)) {
            tokens++;
        }
        return tokens;
    }

    private boolean isTaken(BucketPolicy policy) {
        return store.take(policy, KEY).toCompletableFuture().join().taken();
    }
}
