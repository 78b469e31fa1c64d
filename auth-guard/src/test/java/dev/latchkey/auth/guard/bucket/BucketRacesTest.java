package dev.latchkey.auth.guard.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.contract.Race;
import dev.latchkey.auth.guard.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many threads share a bucket: together they get exactly the content. */
@Tag("long")
class BucketRacesTest {

    private static final int TOKENS = 5;
    private static final int TAKES = 3;

    private static final BucketPolicy POLICY = BucketPolicy.of(
            "races", LimitWindow.of(TOKENS, Duration.ofMinutes(5)), LimitWindow.of(100, Duration.ofDays(2)));

    private static final BucketPolicy NARROWER =
            BucketPolicy.of("races", LimitWindow.of(2, Duration.ofMinutes(5)), LimitWindow.of(100, Duration.ofDays(2)));

    private final LocalBucketStore store = LocalBucketStore.create(new ManualTime());
    private final Race race = new Race();

    @AfterEach
    void endThreads() {
        race.close();
    }

    @Test
    void newBucket_givesExactlyItsTokens() throws Exception {
        for (int round = 0; round < Race.rounds(); round++) {
            BucketKey key = new BucketKey(1, round);
            int threads = Race.threadsOf(round);
            AtomicInteger taken = new AtomicInteger();
            race.run(sameFor(threads, () -> {
                for (int i = 0; i < TAKES; i++) {
                    taken.addAndGet(takes(POLICY, key) ? 1 : 0);
                }
            }));
            assertThat(taken).as("round %d", round).hasValue(Math.min(TOKENS, threads * TAKES));
        }
    }

    @Test
    void tokensThatComeBack_areHeldByOneAtATime_andAreAllThereInTheEnd() throws Exception {
        for (int round = 0; round < Race.rounds(); round++) {
            BucketKey key = new BucketKey(2, round);
            AtomicInteger held = new AtomicInteger();
            race.run(sameFor(Race.threadsOf(round), () -> {
                for (int i = 0; i < TAKES; i++) {
                    if (takes(POLICY, key)) {
                        if (held.incrementAndGet() > TOKENS) {
                            throw new AssertionError("more are held than there are");
                        }
                        Race.letOthersIn();
                        held.decrementAndGet();
                        store.giveBack(POLICY, key, 1).toCompletableFuture().join();
                    }
                }
            }));
            int left = 0;
            while (takes(POLICY, key)) {
                left++;
            }
            assertThat(left).as("round %d", round).isEqualTo(TOKENS);
        }
    }

    @Test
    void policyThatChangesMeanwhile_makesNoTokens() throws Exception {
        for (int round = 0; round < Race.rounds(); round++) {
            BucketKey key = new BucketKey(3, round);
            AtomicInteger taken = new AtomicInteger();
            List<Race.Runner> runners = sameFor(Race.threadsOf(round) - 1, () -> {
                for (int i = 0; i < 2 * TAKES; i++) {
                    taken.addAndGet(takes(i % 2 == 0 ? POLICY : NARROWER, key) ? 1 : 0);
                }
            });
            runners.add(() -> {
                store.changed(NARROWER);
                store.changed(POLICY);
            });
            race.run(runners);
            while (takes(POLICY, key)) {
                taken.incrementAndGet();
            }
            assertThat(taken.get()).as("round %d", round).isBetween(1, TOKENS);
        }
    }

    private boolean takes(BucketPolicy policy, BucketKey key) {
        return store.take(policy, key).toCompletableFuture().join().taken();
    }

    private static List<Race.Runner> sameFor(int threads, Race.Runner runner) {
        List<Race.Runner> runners = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            runners.add(runner);
        }
        return runners;
    }
}
