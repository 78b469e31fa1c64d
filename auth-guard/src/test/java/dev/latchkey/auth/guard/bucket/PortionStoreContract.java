package dev.latchkey.auth.guard.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.contract.Race;
import dev.latchkey.auth.guard.bucket.PortionStore.Bucket;
import dev.latchkey.auth.guard.bucket.PortionStore.Portion;
import dev.latchkey.auth.guard.bucket.PortionStore.Wish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of a portion store, to extend for another store. Each test begins with unused buckets. */
@Timeout(60)
public abstract class PortionStoreContract {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int ROUNDS = 200;
    private static final BucketKey KEY = new BucketKey(0x1234_5678_9abc_def0L, -1);

    /** A token in a minute, and ten of them at once. */
    private static final Bucket TEN = new Bucket("ten", KEY, new BucketRate(60, HOUR, 10));

    private static final Duration EACH = Duration.ofMinutes(1);

    /** Time may go on by itself between two calls. */
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final Race race = new Race();

    /** A node's store; all nodes of a test share the buckets. */
    protected abstract PortionStore node();

    /** Moves the time of the buckets. The time may also pass by itself. A negative duration sets a clock back. */
    protected abstract void advance(Duration duration);

    @AfterEach
    void endThreads() {
        race.close();
    }

    @Test
    void bucketThatWasNeverUsed_isFull() {
        assertThat(draw(node(), TEN, 1, 100)).isEqualTo(new Portion(10, Duration.ZERO, 0));
    }

    @Test
    void portion_hasAvailableTokensUpToTheWantedMaximum_andNamesTheRest() {
        PortionStore store = node();
        assertThat(draw(store, TEN, 1, 4)).isEqualTo(new Portion(4, Duration.ZERO, 6));
        assertThat(draw(store, TEN, 1, 4)).isEqualTo(new Portion(4, Duration.ZERO, 2));
        assertThat(draw(store, TEN, 2, 4)).isEqualTo(new Portion(2, Duration.ZERO, 0));
    }

    @Test
    void lessThanTheLeast_isNotTaken() {
        PortionStore store = node();
        draw(store, TEN, 8, 8);
        Portion none = draw(store, TEN, 3, 10);
        assertThat(none.tokens()).isZero();
        assertIsIn(EACH, none);
        assertThat(none.left()).isEqualTo(2);
        assertThat(draw(store, TEN, 2, 2).tokens()).isEqualTo(2);
    }

    @Test
    void leastThatIsNotThereYet_isPromised_andTheNextOneForLater() {
        draw(node(), TEN, 10, 10);
        for (int i = 1; i <= 3; i++) {
            Portion promised = draw(node(), TEN, 2, 10, HOUR);
            assertThat(promised.tokens()).isEqualTo(2);
            assertIsIn(EACH.multipliedBy(2L * i), promised);
            assertThat(promised.left()).isZero();
        }
    }

    @Test
    void promiseThatIsTooFarAway_isNotMade_andSaysHowFar() {
        draw(node(), TEN, 10, 10);
        Portion none = draw(node(), TEN, 5, 5, EACH.multipliedBy(4));
        assertThat(none.tokens()).isZero();
        assertIsIn(EACH.multipliedBy(5), none);
        assertThat(draw(node(), TEN, 4, 4, EACH.multipliedBy(4)).tokens()).isEqualTo(4);
    }

    @Test
    void overdrawnBucket_fillsFromBelow() {
        draw(node(), TEN, 10, 10);
        draw(node(), TEN, 5, 5, HOUR);
        advance(EACH.multipliedBy(5));
        assertThat(draw(node(), TEN, 1, 1).tokens()).isZero();
        advance(EACH);
        assertThat(draw(node(), TEN, 1, 10).tokens()).isEqualTo(1);
        advance(DAY);
        assertThat(draw(node(), TEN, 1, 100).tokens()).isEqualTo(10);
    }

    @Test
    void tokensThatAreGivenBack_areThereAgain_andNoMoreThanItHolds() throws Exception {
        draw(node(), TEN, 10, 10);
        giveBack(node(), 3);
        assertThat(draw(node(), TEN, 1, 10).tokens()).isEqualTo(3);
        draw(node(), TEN, 5, 5, HOUR);
        giveBack(node(), 7);
        assertThat(draw(node(), TEN, 1, 10).tokens()).isEqualTo(2);
        giveBack(node(), 1_000);
        assertThat(draw(node(), TEN, 1, 100).tokens()).isEqualTo(10);
    }

    @Test
    void buckets_areApart_byNameAndByKey() {
        draw(node(), TEN, 10, 10);
        assertThat(draw(node(), new Bucket("other", KEY, TEN.rate()), 1, 10).tokens())
                .isEqualTo(10);
        for (BucketKey key : List.of(new BucketKey(KEY.high(), 0), new BucketKey(0, KEY.low()), new BucketKey(0, 0))) {
            assertThat(draw(node(), new Bucket("ten", key, TEN.rate()), 1, 10).tokens())
                    .isEqualTo(10);
        }
    }

    @Test
    void shareThatWasSpent_staysSpentAtAnotherRate() {
        draw(node(), TEN, 5, 5);
        Bucket slower = new Bucket("ten", KEY, new BucketRate(1, HOUR, 100));
        assertThat(draw(node(), slower, 1, 100).tokens()).isEqualTo(50);
        assertThat(draw(node(), TEN, 1, 100).tokens()).isZero();
    }

    @Test
    void overdraft_isForgivenAtAnotherRate() {
        Bucket slow = new Bucket("ten", KEY, new BucketRate(1, HOUR, 1));
        draw(node(), slow, 1, 1);
        draw(node(), slow, 1, 1, DAY);
        draw(node(), slow, 1, 1, DAY);
        draw(node(), TEN, 1, 1);
        advance(EACH);
        assertThat(draw(node(), TEN, 1, 1).tokens()).isEqualTo(1);
    }

    /** Otherwise the bucket would give nothing until the clock reaches the old time. */
    @Test
    void emptyBucketOfAClockThatWasSetBack_fillsFromThenOn() {
        draw(node(), TEN, 10, 10);
        advance(DAY.negated());
        assertThat(draw(node(), TEN, 1, 1).tokens()).isZero();
        advance(EACH);
        assertThat(draw(node(), TEN, 1, 1).tokens()).isEqualTo(1);
    }

    @Test
    void fastBucket_holdsManyTokens() {
        Bucket fast = new Bucket("fast", KEY, new BucketRate(1_000_000_000, Duration.ofSeconds(1), 1_000_000_000_000L));
        assertThat(draw(node(), fast, 1, 1_000_000_000_000L))
                .isEqualTo(new Portion(1_000_000_000_000L, Duration.ZERO, 0));
    }

    @Test
    void threadsOfSeveralNodesThatDrawAtOnce_getTheTokensOfTheBucket() throws Exception {
        List<PortionStore> nodes = List.of(node(), node(), node());
        for (int round = 0; round < ROUNDS; round++) {
            Bucket bucket = new Bucket("ten", new BucketKey(1, round), TEN.rate());
            AtomicLong drawn = new AtomicLong();
            List<Race.Runner> runners = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                PortionStore node = nodes.get(i % nodes.size());
                runners.add(() -> {
                    for (int j = 0; j < 3; j++) {
                        drawn.addAndGet(draw(node, bucket, 1, 3).tokens());
                    }
                });
            }
            race.run(runners);
            assertThat(drawn).as("round %d", round).hasValue(10);
        }
    }

    private static void assertIsIn(Duration expected, Portion portion) {
        // The last digit is a double's.
        assertThat(portion.after()).isBetween(expected.minus(A_WHILE), expected.plusMillis(1));
    }

    private static Portion draw(PortionStore store, Bucket bucket, long least, long most) {
        return draw(store, bucket, least, most, Duration.ZERO);
    }

    private static Portion draw(PortionStore store, Bucket bucket, long least, long most, Duration longest) {
        try {
            return store.draw(bucket, new Wish(least, most, longest))
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private static void giveBack(PortionStore store, long tokens) throws Exception {
        Object unused = store.giveBack(TEN, tokens).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
