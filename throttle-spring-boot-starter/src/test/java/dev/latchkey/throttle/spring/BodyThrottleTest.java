package dev.latchkey.throttle.spring;

import static dev.latchkey.throttle.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.spring.ThrottleProperties.Counts;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import dev.latchkey.throttle.spring.ThrottleProperties.Rate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** A body that more than one throttle is for. */
class BodyThrottleTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LONG = Duration.ofHours(1);

    private final GuardTime time = GuardTime.start();

    @AfterEach
    void stop() {
        time.close();
    }

    /** Lets so many bytes pass, and then none. */
    private ThrottleRule stopsAfter(String name, long bytes, Duration maxWait) {
        Endpoints endpoints = new Endpoints(
                List.of("/**"),
                Counts.RESPONSE_BYTES,
                null,
                new Rate(1, DAY, bytes),
                null,
                false,
                maxWait,
                10,
                10,
                DataSize.ofBytes(bytes),
                DataSize.ofBytes(10 * bytes),
                Duration.ofMillis(bytes),
                true);
        return ThrottleRule.of(name, endpoints, time, ThrottleListener.NONE);
    }

    private static BodyThrottle throttle(ThrottleRule... rules) {
        return BodyThrottle.of(
                List.of(rules), null, ClientSource.of("192.0.2.1").orElseThrow());
    }

    private static void open(ThrottleRule rule) {
        rule.throttle().changeRate(ThrottleScope.SOURCE, BucketRate.perSecond(1_000_000));
    }

    private static long passed(ThrottleRule rule) {
        return rule.throttle().snapshot().passed();
    }

    @Test
    void pieceThatBothLetThrough_passesAtOnce() {
        ThrottleRule first = stopsAfter("a", 100, LONG);
        ThrottleRule second = stopsAfter("b", 100, LONG);
        assertThat(throttle(first, second).acquire(60).join()).isInstanceOf(ThrottleResult.Passed.class);
        assertThat(passed(first)).isEqualTo(1);
        assertThat(passed(second)).isEqualTo(1);
    }

    @Test
    void pieceWaitsForEach_andTakesNothingFromTheSecondUntilTheFirstHasLetItThrough() {
        ThrottleRule first = stopsAfter("a", 100, LONG);
        ThrottleRule second = stopsAfter("b", 100, LONG);
        CompletableFuture<ThrottleResult> result = throttle(first, second).acquire(101);
        assertThat(first.throttle().snapshot().waiting()).isEqualTo(1);
        assertThat(second.throttle().snapshot().waiting()).isZero();
        open(first);
        // The timer tells the first one, on its own thread.
        until(() -> second.throttle().snapshot().waiting() > 0);
        assertThat(result).isNotDone();
        open(second);
        assertThat(result.join()).isInstanceOf(ThrottleResult.Passed.class);
    }

    @Test
    void refusalNamesTheThrottleThatRefused() {
        BodyThrottle throttle =
                throttle(stopsAfter("wide", 500, LONG), stopsAfter("narrow", 100, Duration.ofMillis(1)));
        ThrottleResult answer = throttle.acquire(200).join();
        assertThat(throttle.refusal((ThrottleResult.Refused) answer).rule().name())
                .isEqualTo("narrow");
    }

    @Test
    void callerThatGivesUp_leavesTheThrottleThatItWaitsFor() {
        ThrottleRule first = stopsAfter("a", 100, LONG);
        ThrottleRule second = stopsAfter("b", 100, LONG);
        throttle(first, second).acquire(101).cancel(false);
        assertThat(first.throttle().snapshot().waiting()).isZero();

        ThrottleRule wide = stopsAfter("wide", 200, LONG);
        CompletableFuture<ThrottleResult> behind = throttle(wide, second).acquire(201);
        open(wide);
        until(() -> second.throttle().snapshot().waiting() > 0);
        assertThat(behind.cancel(false)).isTrue();
        assertThat(second.throttle().snapshot().waiting()).isZero();
    }

    @Test
    void smallestSettingsHold() {
        BodyThrottle throttle = throttle(stopsAfter("a", 200, LONG), stopsAfter("b", 100, LONG));
        assertThat(throttle.piece()).isEqualTo(100);
        assertThat(throttle.maxHeld()).isEqualTo(1000);
        assertThat(throttle.writeTimeout()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void throttleOfRequests_countsNoBytes() {
        ThrottleRule requests = ThrottleRule.of(
                "requests",
                new ThrottleProperties.Endpoints(
                        List.of("/**"),
                        Counts.REQUESTS,
                        null,
                        new Rate(1, DAY, 1L),
                        null,
                        false,
                        LONG,
                        10,
                        10,
                        DataSize.ofKilobytes(1),
                        DataSize.ofKilobytes(1),
                        LONG,
                        true),
                time,
                ThrottleListener.NONE);
        assertThat(BodyThrottle.counting(List.of(requests, stopsAfter("bytes", 100, LONG))))
                .extracting(ThrottleRule::name)
                .containsExactly("bytes");
    }
}
