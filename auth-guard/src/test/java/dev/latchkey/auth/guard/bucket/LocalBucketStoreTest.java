package dev.latchkey.auth.guard.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Buckets of two windows, as nearly all limits have them, whose policy changes. */
class LocalBucketStoreTest {

    private static final BucketKey KEY = new BucketKey(1, 1);
    private static final BucketPolicy WIDE = policy(20);
    private static final BucketPolicy NARROW = policy(10);

    private final LocalBucketStore store = LocalBucketStore.create(new ManualTime());

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
    void halfEmptyBucket_isHalfEmptyUnderAnotherPolicy() {
        for (int i = 0; i < 10; i++) {
            assertThat(isTaken(WIDE)).isTrue();
        }
        store.changed(NARROW);
        assertThat(tokens(NARROW)).isEqualTo(5);
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
