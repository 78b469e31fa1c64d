package dev.latchkey.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // a test may ask and not care for the answer
class ThrottleTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofHours(1);

    private final ManualTime time = new ManualTime();

    private Throttle throttle(ThrottleSettings settings) {
        return Throttle.of(settings, time);
    }

    private static ThrottleSettings settings() {
        return ThrottleSettings.named("downloads");
    }

    private static ClientSource source(int n) {
        return ClientSource.of("10.0." + n / 256 + "." + n % 256).orElseThrow();
    }

    private static boolean passed(CompletableFuture<ThrottleResult> result) {
        return result.isDone() && result.join() instanceof ThrottleResult.Passed;
    }

    @Test
    void excess_isRefused_ifNoRequestMayWait() {
        Throttle throttle = throttle(settings().withRate(ThrottleScope.SOURCE, new BucketRate(10, SECOND, 2)));
        ThrottleClient client = throttle.client(HOME);
        assertThat(client.acquire(1).join())
                .isEqualTo(new ThrottleResult.Passed(Duration.ZERO, ThrottleScope.SOURCE, 1));
        assertThat(client.acquire(1).join())
                .isEqualTo(new ThrottleResult.Passed(Duration.ZERO, ThrottleScope.SOURCE, 0));
        assertThat(client.acquire(1).join())
                .isEqualTo(new ThrottleResult.Refused(ThrottleScope.SOURCE, Duration.ofMillis(100)));
        assertThat(passed(throttle.client(source(1)).acquire(1))).isTrue();
        time.advance(Duration.ofMillis(100));
        assertThat(passed(client.acquire(1))).isTrue();
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void refusalByOneBucketGivesTheOthersTheirTokensBack() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.PRINCIPAL, new BucketRate(1, LONG, 3))
                .withRate(ThrottleScope.GLOBAL, new BucketRate(1, LONG, 1)));
        assertThat(passed(throttle.client(HOME, "bob").acquire(1))).isTrue();
        ThrottleClient ann = throttle.client(HOME, "ann");
        for (int i = 0; i < 10; i++) {
            assertThat(ann.acquire(1).join()).isInstanceOf(ThrottleResult.Refused.class);
        }
        throttle.removeRate(ThrottleScope.GLOBAL);
        for (int i = 0; i < 3; i++) {
            assertThat(passed(ann.acquire(1))).isTrue();
        }
        assertThat(passed(ann.acquire(1))).isFalse();
    }

    @Test
    void slowRate_holdsForACallerThatPausesForTenMinutes() {
        Throttle throttle = throttle(settings().withRate(ThrottleScope.SOURCE, new BucketRate(5, LONG, 5)));
        int passed = 0;
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 5; j++) {
                passed += passed(throttle.client(HOME).acquire(1)) ? 1 : 0;
            }
            time.advance(Duration.ofMinutes(10));
        }
        // Five at the beginning, and one for each 12 minutes of the 50 until the last request.
        assertThat(passed).isEqualTo(9);
    }

    @Test
    void rateThatBecameSlower_holdsForACallerThatPauses() {
        Throttle throttle = throttle(settings().withRate(ThrottleScope.SOURCE, new BucketRate(5, SECOND, 5)));
        assertThat(passed(throttle.client(HOME).acquire(5))).isTrue();
        throttle.changeRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 5));
        time.advance(Duration.ofMinutes(30));
        assertThat(passed(throttle.client(HOME).acquire(1))).isFalse();
    }

    @Test
    void bucketInWhichRequestsWait_isNotForgotten() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(1, Duration.ofMinutes(10), 1))
                .withWaiting(LONG));
        ThrottleClient client = throttle.client(HOME);
        List<CompletableFuture<ThrottleResult>> results =
                IntStream.range(0, 4).mapToObj(i -> client.acquire(1)).toList();
        time.advance(Duration.ofMinutes(25));
        assertThat(results.stream().filter(ThrottleTest::passed)).hasSize(3);
        assertThat(passed(client.acquire(1))).isFalse();
    }

    @Test
    void excess_waitsWithoutAThread_forItsTokens() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(10, SECOND, 1))
                .withWaiting(SECOND));
        ThrottleClient client = throttle.client(HOME);
        assertThat(passed(client.acquire(1))).isTrue();
        CompletableFuture<ThrottleResult> waiting = client.acquire(1);
        assertThat(throttle.snapshot().waiting()).isEqualTo(1);
        time.advance(Duration.ofMillis(100).minusNanos(1));
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofNanos(1));
        assertThat(waiting.join())
                .isEqualTo(new ThrottleResult.Passed(Duration.ofMillis(100), ThrottleScope.SOURCE, 0));
        assertThat(throttle.snapshot().waiting()).isZero();
    }

    @Test
    void callerThatHasWaitedLongEnoughIsRefused_andHasTakenNothing() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(10, SECOND, 10))
                .withWaiting(SECOND));
        ThrottleClient client = throttle.client(HOME);
        CompletableFuture<ThrottleResult> large = client.acquire(1_000);
        time.advance(SECOND);
        assertThat(large.join()).isEqualTo(new ThrottleResult.Refused(ThrottleScope.SOURCE, SECOND));
        assertThat(passed(client.acquire(10))).isTrue();
    }

    @Test
    void clientThatWentAwayLeavesTheQueue() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(1, SECOND, 1))
                .withWaiting(LONG));
        ThrottleClient client = throttle.client(HOME);
        client.acquire(1);
        List<CompletableFuture<ThrottleResult>> gone = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            gone.add(client.acquire(1));
        }
        CompletableFuture<ThrottleResult> stays = client.acquire(1);
        gone.forEach(each -> each.cancel(false));
        assertThat(throttle.snapshot().waiting()).isEqualTo(1);
        time.advance(SECOND);
        assertThat(passed(stays)).isTrue();
    }

    @Test
    void numberOfThoseThatWaitIsBounded() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(1, SECOND, 1))
                .withWaiting(LONG)
                .withMaxWaiting(3));
        ThrottleClient client = throttle.client(HOME);
        client.acquire(1);
        for (int i = 0; i < 3; i++) {
            assertThat(client.acquire(1)).isNotDone();
        }
        assertThat(client.acquire(1).join()).isInstanceOf(ThrottleResult.Refused.class);
    }

    @Test
    void costAboveTheBurstIsCollectedInParts() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(100, SECOND, 10))
                .withWaiting(LONG));
        CompletableFuture<ThrottleResult> large = throttle.client(HOME).acquire(110);
        time.advance(SECOND.minusMillis(1));
        assertThat(large).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThat(passed(large)).isTrue();
    }

    @Test
    void hundredClientsAtTheirOwnRates_eachGetsItsOwnRate() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.SOURCE, BucketRate.perSecond(20_000).withBurst(2_000))
                .withWaiting(LONG));
        List<Download> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(new Download(throttle.client(source(i)), 1_000).begin());
        }
        time.advance(Duration.ofSeconds(10));
        assertThat(all)
                .allSatisfy(each -> assertThat(each.passed().get()).isCloseTo(200_000, Percentage.withPercentage(1.1)));
    }

    @Test
    void hundredClientsOfAGlobalRate_getEqualShares_withinTwoPercentOfTheRateEachSecond() {
        long rate = 20_000_000;
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(rate))
                .withWaiting(LONG));
        List<Download> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(new Download(throttle.client(source(i)), 8_192).begin());
        }
        List<Long> totals = new ArrayList<>(List.of(0L));
        for (int tick = 0; tick < 300; tick++) {
            time.advance(Duration.ofMillis(10));
            totals.add(all.stream().mapToLong(each -> each.passed().get()).sum());
        }
        for (int end = 100; end < totals.size(); end++) {
            assertThat(totals.get(end) - totals.get(end - 100)).isBetween(rate * 99 / 100, rate * 102 / 100);
        }
        // The first to come found a full bucket, a hundredth of a second's worth, which is not shared.
        List<Long> shares =
                all.stream().skip(1).map(each -> each.passed().get()).toList();
        assertThat(Collections.max(shares) - Collections.min(shares)).isLessThanOrEqualTo(8_192);
    }

    @Test
    void clientWithAHundredConnectionsGetsNoMoreThanOneWithOne() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000))
                .withWaiting(LONG));
        List<Download> greedy = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            greedy.add(new Download(throttle.client(source(i), "greedy"), 1_000).begin());
        }
        Download modest = new Download(throttle.client(source(1), "modest"), 1_000).begin();
        time.advance(Duration.ofSeconds(10));
        long greedyBytes =
                greedy.stream().mapToLong(each -> each.passed().get()).sum();
        assertThat(modest.passed().get()).isCloseTo(greedyBytes, Percentage.withPercentage(2));
    }

    @Test
    void changedRateHoldsAtOnce_alsoForThoseThatWait_andForNewClients() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 1))
                .withWaiting(LONG));
        ThrottleClient client = throttle.client(HOME);
        client.acquire(1);
        CompletableFuture<ThrottleResult> waiting = client.acquire(1);
        time.advance(Duration.ofMinutes(1));
        assertThat(waiting).isNotDone();
        BucketRate faster = new BucketRate(10, SECOND, 5);
        throttle.changeRate(ThrottleScope.SOURCE, faster);
        time.advance(Duration.ofMillis(100));
        assertThat(passed(waiting)).isTrue();
        assertThat(throttle.snapshot().rates()).containsEntry(ThrottleScope.SOURCE, faster);
        assertThat(passed(throttle.client(source(1)).acquire(5))).isTrue();
    }

    @Test
    void raisedBurstGivesNobodyTokensThatWereNotEarned() {
        Throttle throttle = throttle(settings().withRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 10)));
        ThrottleClient client = throttle.client(HOME);
        client.acquire(10);
        throttle.changeRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 1_000));
        assertThat(passed(client.acquire(1))).isFalse();
    }

    @Test
    void scopeGetsItsRateWhileRunning() {
        Throttle throttle = throttle(settings());
        ThrottleClient client = throttle.client(HOME);
        assertThat(passed(client.acquire(1_000_000))).isTrue();
        throttle.changeRate(ThrottleScope.GLOBAL, new BucketRate(1, LONG, 1));
        assertThat(passed(client.acquire(1))).isTrue();
        assertThat(passed(client.acquire(1))).isFalse();
    }

    @Test
    void slowClientHoldsNoTokenOfTheGlobalBucketWhileItWaitsForItsOwn() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(1, SECOND, 1))
                .withRate(ThrottleScope.GLOBAL, new BucketRate(1, LONG, 2))
                .withWaiting(Duration.ofSeconds(10)));
        ThrottleClient slow = throttle.client(HOME);
        slow.acquire(1);
        slow.acquire(1);
        assertThat(passed(throttle.client(source(1)).acquire(1))).isTrue();
    }

    @Test
    void numberOfBucketsIsBounded() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.SOURCE, BucketRate.perSecond(10))
                .withMaxBuckets(100));
        for (int i = 0; i < 10_000; i++) {
            throttle.client(source(i)).acquire(1);
        }
        assertThat(throttle.tracked(ThrottleScope.SOURCE)).isLessThanOrEqualTo(100);
    }

    @Test
    void unknownSources_haveNoBucketOfTheirSourceTogether() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 1))
                .withRate(ThrottleScope.PRINCIPAL, new BucketRate(1, LONG, 2)));
        for (int i = 0; i < 10; i++) {
            assertThat(passed(throttle.client(ClientSource.UNKNOWN).acquire(1))).isTrue();
        }
        assertThat(throttle.tracked(ThrottleScope.SOURCE)).isZero();
        assertThat(passed(throttle.client(HOME).acquire(1))).isTrue();
        assertThat(passed(throttle.client(HOME).acquire(1))).isFalse();
        ThrottleClient ann = throttle.client(ClientSource.UNKNOWN, "ann");
        assertThat(passed(ann.acquire(1))).isTrue();
        assertThat(passed(ann.acquire(1))).isTrue();
        assertThat(ann.acquire(1).join())
                .isInstanceOfSatisfying(
                        ThrottleResult.Refused.class,
                        refused -> assertThat(refused.scope()).isEqualTo(ThrottleScope.PRINCIPAL));
    }

    @Test
    void unknownSources_passTheGlobalBucket_andTakeOneTurnOfItTogether() {
        Throttle throttle = throttle(settings()
                .withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000))
                .withWaiting(LONG));
        List<Download> unknown = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            unknown.add(new Download(throttle.client(ClientSource.UNKNOWN), 1_000).begin());
        }
        Download known = new Download(throttle.client(HOME), 1_000).begin();
        time.advance(Duration.ofSeconds(10));
        long unknownBytes =
                unknown.stream().mapToLong(each -> each.passed().get()).sum();
        assertThat(known.passed().get()).isCloseTo(unknownBytes, Percentage.withPercentage(2));
    }

    @Test
    void everyChangeOfARate_isAnEvent_withWhatHeldAndWhatHoldsNow() {
        List<ThrottleEvent> events = new ArrayList<>();
        Throttle throttle = Throttle.of(
                settings().withRate(ThrottleScope.SOURCE, new BucketRate(10, SECOND, 2)), time, events::add);
        throttle.changeRate(ThrottleScope.SOURCE, new BucketRate(20, SECOND, 5));
        throttle.changeRate(ThrottleScope.SOURCE, new BucketRate(20, SECOND, 5));
        throttle.changeRate(ThrottleScope.GLOBAL, new BucketRate(1, LONG, 1));
        throttle.removeRate(ThrottleScope.SOURCE);
        throttle.removeRate(ThrottleScope.SOURCE);
        assertThat(events)
                .containsExactly(
                        new ThrottleEvent.RateChanged(
                                "downloads-source", "10 in PT1S, 2 at once", "20 in PT1S, 5 at once"),
                        new ThrottleEvent.RateChanged("downloads-global", "none", "1 in PT1H, 1 at once"),
                        new ThrottleEvent.RateChanged("downloads-source", "20 in PT1S, 5 at once", "none"));
    }
}
