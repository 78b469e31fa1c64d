package dev.latchkey.throttle.spring;

import static dev.latchkey.throttle.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.ThrottleEvent;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.spring.ThrottleProperties.Counts;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import dev.latchkey.throttle.spring.ThrottleProperties.Rate;
import dev.latchkey.throttle.spring.WaitingRequests.Caller;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** One request has passed, and further requests must wait. */
class WaitingRequestsTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();
    private static final ClientSource OFFICE = ClientSource.of("192.0.2.2").orElseThrow();

    private final GuardTime time = GuardTime.start();
    private final List<ThrottleEvent> events = new CopyOnWriteArrayList<>();
    private final ThrottleRule rule = rule();
    private final WaitingRequests waiting = new WaitingRequests(5);

    @AfterEach
    void stop() {
        time.close();
    }

    private ThrottleRule rule() {
        Endpoints endpoints = new Endpoints(
                List.of("/**"),
                Counts.REQUESTS,
                null,
                null,
                new Rate(1, Duration.ofDays(1), 1L),
                false,
                Duration.ofHours(1),
                10,
                10,
                DataSize.ofBytes(100),
                DataSize.ofBytes(1000),
                Duration.ofSeconds(1),
                true);
        ThrottleRule made = ThrottleRule.of("waits", endpoints, time, events::add);
        assertThat(RequestThrottle.begin(List.of(made), null, HOME, true).await())
                .isEmpty();
        return made;
    }

    private RequestThrottle begin(boolean mayWait) {
        return RequestThrottle.begin(List.of(rule), null, HOME, mayWait);
    }

    @Test
    void callerHasHalfOfThePlaces() {
        Caller home = Caller.of(null, HOME);
        assertThat(waiting.enter(home)).isTrue();
        assertThat(waiting.enter(home)).isTrue();
        assertThat(waiting.enter(home)).isFalse();
        assertThat(waiting.enter(Caller.of(null, OFFICE))).isTrue();
        assertThat(waiting.enter(Caller.of("ada", HOME))).isTrue();
        assertThat(waiting.enter(Caller.of("ada", OFFICE))).isTrue();
        assertThat(waiting.enter(Caller.of("bob", HOME)))
                .as("all places are taken")
                .isFalse();
        waiting.leave(home);
        assertThat(waiting.enter(Caller.of("bob", HOME))).isTrue();
        assertThat(waiting.enter(Caller.of(null, OFFICE))).isFalse();
    }

    @Test
    void singlePlace_isForAnyCaller() {
        WaitingRequests single = new WaitingRequests(1);
        assertThat(single.enter(Caller.of(null, HOME))).isTrue();
        assertThat(single.enter(Caller.of(null, OFFICE))).isFalse();
    }

    @Test
    void requestWithoutAPlace_isRefusedAtOnce_orPasses() {
        RequestThrottle patient = begin(true);
        assertThat(patient.result()).isNotDone();
        RequestThrottle refused = begin(false);
        assertThat(refused.await())
                .hasValueSatisfying(refusal -> assertThat(refusal.status()).isEqualTo(503));
        assertThat(rule.throttle().snapshot().refused()).isEqualTo(1);
        assertThat(events).filteredOn(ThrottleEvent.Refused.class::isInstance).hasSize(1);
        rule.throttle().changeRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000));
        assertThat(patient.await()).isEmpty();
        until(() -> begin(false).await().isEmpty());
    }

    @Test
    void interruptedThread_isRefused_andTheRefusalCounts() {
        CompletableFuture<Optional<ThrottleRefusal>> answer = new CompletableFuture<>();
        RequestThrottle request = begin(true);
        Thread thread = new Thread(() -> answer.complete(request.await()));
        thread.start();
        thread.interrupt();
        assertThat(answer.join()).isPresent();
        until(() -> rule.throttle().snapshot().waiting() == 0);
        assertThat(rule.throttle().snapshot().refused()).isEqualTo(1);
    }
}
