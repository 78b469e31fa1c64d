package dev.latchkey.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The reports of a throttle to the listener, JMX and actuators. */
@SuppressWarnings("FutureReturnValueIgnored") // a test may ask and not care for the answer
class ThrottleReportsTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** Caffeine finds what has expired by a wheel of ticks, each a little longer than a second. */
    private static final Duration TICK_OF_CAFFEINE = Duration.ofSeconds(2);

    private static final BucketRate ONE_A_SECOND = new BucketRate(1, SECOND, 1);

    private final ManualTime time = new ManualTime();
    private final List<ThrottleEvent> events = new ArrayList<>();

    private Throttle throttle(ThrottleSettings settings) {
        return Throttle.of(settings.withRate(ThrottleScope.SOURCE, ONE_A_SECOND), time, events::add);
    }

    private static ThrottleSettings settings() {
        return ThrottleSettings.named("downloads");
    }

    @Test
    void everyAnswer_isHeardAndCounted() {
        Throttle throttle = throttle(settings());
        ThrottleClient client = throttle.client(HOME);
        client.acquire(1);
        client.acquire(1);
        client.acquire(1);
        assertThat(events)
                .containsExactly(
                        new ThrottleEvent.Passed("downloads", Duration.ZERO),
                        new ThrottleEvent.Refused("downloads", ThrottleScope.SOURCE, Duration.ZERO),
                        new ThrottleEvent.Refused("downloads", ThrottleScope.SOURCE, Duration.ZERO));
        assertThat(throttle.snapshot())
                .isEqualTo(new ThrottleSnapshot(
                        "downloads",
                        Map.of(ThrottleScope.SOURCE, ONE_A_SECOND),
                        Map.of(ThrottleScope.PRINCIPAL, 0L, ThrottleScope.SOURCE, 1L, ThrottleScope.GLOBAL, 0L),
                        0,
                        1,
                        2));
    }

    @Test
    void endedWait_isReportedWithItsLength_andACancelledWaitIsNot() {
        Throttle throttle = throttle(settings().withWaiting(SECOND.multipliedBy(2)));
        ThrottleClient client = throttle.client(HOME);
        client.acquire(1);
        time.advance(SECOND.dividedBy(2));
        client.acquire(1);
        CompletableFuture<ThrottleResult> gone = client.acquire(1);
        client.acquire(9);
        gone.cancel(false);
        time.advance(SECOND.multipliedBy(2));
        assertThat(events)
                .containsExactly(
                        new ThrottleEvent.Passed("downloads", Duration.ZERO),
                        new ThrottleEvent.Passed("downloads", SECOND.dividedBy(2)),
                        new ThrottleEvent.Refused("downloads", ThrottleScope.SOURCE, SECOND.multipliedBy(2)));
        assertThat(throttle.snapshot().passed()).isEqualTo(2);
        assertThat(throttle.snapshot().refused()).isEqualTo(1);
    }

    @Test
    void rateOfAScope_isToldAsItIsNow() {
        Throttle throttle = throttle(settings());
        assertThat(throttle.rate(ThrottleScope.SOURCE)).hasValue(ONE_A_SECOND);
        assertThat(throttle.rate(ThrottleScope.GLOBAL)).isEmpty();
        throttle.changeRate(ThrottleScope.SOURCE, ONE_A_SECOND.withBurst(9));
        assertThat(throttle.rate(ThrottleScope.SOURCE)).hasValue(ONE_A_SECOND.withBurst(9));
        throttle.removeRate(ThrottleScope.SOURCE);
        assertThat(throttle.rate(ThrottleScope.SOURCE)).isEmpty();
    }

    @Test
    void bucketThatNobodyUsed_isForgotten() {
        Throttle throttle = throttle(settings());
        throttle.client(HOME).acquire(1);
        time.advance(Duration.ofMinutes(10).minusNanos(1));
        assertThat(throttle.snapshot().buckets()).containsEntry(ThrottleScope.SOURCE, 1L);
        time.advance(TICK_OF_CAFFEINE);
        assertThat(throttle.snapshot().buckets()).containsEntry(ThrottleScope.SOURCE, 0L);
    }

    @Test
    void bucketOfASlowRate_isForgottenWhenItIsFullAgain_andNotBefore() {
        Throttle throttle =
                Throttle.of(settings().withRate(ThrottleScope.SOURCE, new BucketRate(5, Duration.ofHours(1), 5)), time);
        throttle.client(HOME).acquire(5);
        time.advance(Duration.ofHours(1).minusNanos(1));
        assertThat(throttle.snapshot().buckets()).containsEntry(ThrottleScope.SOURCE, 1L);
        time.advance(TICK_OF_CAFFEINE);
        assertThat(throttle.snapshot().buckets()).containsEntry(ThrottleScope.SOURCE, 0L);
    }

    @Test
    void answer_isFoldedByItsCase() {
        ThrottleClient client = throttle(settings()).client(HOME);
        assertThat(client.acquire(1).join().<String>fold(yes -> "left " + yes.remaining(), no -> "refused"))
                .isEqualTo("left 0");
        assertThat(client.acquire(1).join().<String>fold(yes -> "passed", no -> "after " + no.retryAfter()))
                .isEqualTo("after PT1S");
    }

    @Test
    void settingsAtTheEdgeOfTheirRange_areSettings() {
        assertThat(settings().withMaxWaiting(0).maxWaiting()).isZero();
        assertThat(settings().withMaxBuckets(1).maxBuckets()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> settings().withMaxWaiting(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> settings().withMaxBuckets(0));
        assertThatIllegalArgumentException().isThrownBy(() -> settings().withWaiting(Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> ThrottleSettings.named("Down loads"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> throttle(settings()).client(HOME).acquire(0));
    }
}
