package dev.latchkey.auth.guard.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class RecentRefusalsTest {

    private static final BucketPolicy ONE = BucketPolicy.of("one", LimitWindow.of(1, Duration.ofHours(1)));
    private static final BucketKey KEY = new BucketKey(1, 2);

    private final ManualTime time = new ManualTime();
    private final LocalBucketStore there = LocalBucketStore.create(time);
    private final List<BucketPolicy> changes = new ArrayList<>();
    private int asked;
    private CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);

    private final RecentRefusals store = new RecentRefusals(
            new BucketStore() {
                @Override
                public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
                    asked++;
                    // What is decided now is answered later.
                    BucketTake take =
                            there.take(policy, key).toCompletableFuture().join();
                    return answers.thenApply(now -> take);
                }

                @Override
                public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
                    return there.giveBack(policy, key, tokens);
                }

                @Override
                public void changed(BucketPolicy policy) {
                    changes.add(policy);
                }
            },
            time);

    private boolean takes(BucketKey key) {
        return store.take(ONE, key).toCompletableFuture().join().taken();
    }

    @Test
    void emptyBucket_isAskedOnceInTwentyMilliseconds() {
        assertThat(takes(KEY)).isTrue();
        for (int i = 0; i < 100; i++) {
            assertThat(takes(KEY)).isFalse();
        }
        assertThat(asked).isEqualTo(2);
        assertThat(takes(new BucketKey(3, 4))).isTrue();
        time.advance(Duration.ofMillis(20));
        there.giveBack(ONE, KEY, 1);
        assertThat(takes(KEY)).isTrue();
    }

    @Test
    void tokenThatComesBackHere_isThereAtOnce() {
        takes(KEY);
        assertThat(takes(KEY)).isFalse();
        store.giveBack(ONE, KEY, 1);
        assertThat(takes(KEY)).isTrue();
    }

    @Test
    void refusalFromBeforeATokenCameBack_isNotRemembered() {
        takes(KEY);
        answers = new CompletableFuture<>();
        CompletionStage<BucketTake> late = store.take(ONE, KEY);
        store.giveBack(ONE, KEY, 1);
        answers.complete(null);
        assertThat(late.toCompletableFuture().join().taken()).isFalse();
        assertThat(takes(KEY)).isTrue();
    }

    @Test
    void changedPolicy_isToldOn_andAskedForAtOnce() {
        takes(KEY);
        takes(KEY);
        store.changed(ONE);
        assertThat(changes).containsExactly(ONE);
        takes(KEY);
        assertThat(asked).isEqualTo(3);
    }
}
