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
import java.util.ArrayList;
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
    private final ThrottleRule rule = rule(Duration.ofHours(1));
    private final WaitingRequests waiting = new WaitingRequests(5);

    @AfterEach
    void stop() {
        time.close();
    }

    private ThrottleRule rule(Duration maxWait) {
        Endpoints endpoints = new Endpoints(
                List.of("/**"),
                Counts.REQUESTS,
                null,
                null,
                new Rate(1, Duration.ofDays(1), 1L),
                false,
                maxWait,
                10,
                10,
                DataSize.ofBytes(100),
                DataSize.ofBytes(1000),
                Duration.ofSeconds(1),
                true);
        ThrottleRule made = ThrottleRule.of("waits", endpoints, time, events::add);
        assertThat(RequestThrottle.begin(List.of(made), null, HOME).await()).isEmpty();
        return made;
    }

    private CompletableFuture<Optional<ThrottleRefusal>> arrives(Caller caller) {
        int before = rule.throttle().snapshot().waiting();
        RequestThrottle request = RequestThrottle.begin(List.of(rule), null, HOME);
        CompletableFuture<Optional<ThrottleRefusal>> answer =
                CompletableFuture.supplyAsync(() -> waiting.await(request, caller));
        until(() -> answer.isDone() || waiting.size() > before);
        return answer;
    }

    @Test
    void callerHasHalfOfThePlaces_andFurtherRequestsAreRefusedAtOnce() {
        Caller home = Caller.of(null, HOME);
        List<CompletableFuture<Optional<ThrottleRefusal>>> waits =
                new ArrayList<>(List.of(arrives(home), arrives(home)));
        Optional<ThrottleRefusal> third = arrives(home).join();
        assertThat(third)
                .hasValueSatisfying(refusal -> assertThat(refusal.status()).isEqualTo(503));

        waits.add(arrives(Caller.of(null, OFFICE)));
        waits.add(arrives(Caller.of("ada", HOME)));
        waits.add(arrives(Caller.of("ada", OFFICE)));
        assertThat(arrives(Caller.of("bob", HOME)).join())
                .as("all places are taken")
                .isPresent();
        assertThat(waits).noneMatch(CompletableFuture::isDone);
        assertThat(rule.throttle().snapshot().waiting()).isEqualTo(5);
        assertThat(rule.throttle().snapshot().refused()).isEqualTo(2);
        assertThat(events).filteredOn(ThrottleEvent.Refused.class::isInstance).hasSize(2);

        rule.throttle().changeRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000));
        assertThat(waits).allSatisfy(answer -> assertThat(answer.join()).isEmpty());
        assertThat(waiting.size()).isZero();
    }

    @Test
    void singlePlace_isForAnyCaller() {
        WaitingRequests single = new WaitingRequests(1);
        RequestThrottle request = RequestThrottle.begin(List.of(rule), null, HOME);
        CompletableFuture<Optional<ThrottleRefusal>> answer =
                CompletableFuture.supplyAsync(() -> single.await(request, Caller.of(null, HOME)));
        until(() -> single.size() == 1);
        rule.throttle().changeRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000));
        assertThat(answer.join()).isEmpty();
    }

    @Test
    void requestThatDoesNotWait_needsNoPlace() {
        WaitingRequests none = new WaitingRequests(0);
        ThrottleRule refusing = rule(Duration.ZERO);
        RequestThrottle refused = RequestThrottle.begin(List.of(refusing), null, HOME);
        assertThat(none.await(refused, Caller.of(null, HOME)))
                .as("by its rate, with the time of the next token")
                .hasValueSatisfying(
                        refusal -> assertThat(refusal.refused().retryAfter()).isGreaterThan(Duration.ofHours(1)));
        refusing.throttle().changeRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000));
        until(() -> none.await(RequestThrottle.begin(List.of(refusing), null, HOME), Caller.of(null, HOME))
                .isEmpty());
    }

    @Test
    void interruptedThread_isRefused_andGivesItsPlaceBack() {
        CompletableFuture<Optional<ThrottleRefusal>> answer = new CompletableFuture<>();
        RequestThrottle request = RequestThrottle.begin(List.of(rule), null, HOME);
        Thread thread = new Thread(() -> answer.complete(waiting.await(request, Caller.of(null, HOME))));
        thread.start();
        until(() -> waiting.size() == 1);
        thread.interrupt();
        assertThat(answer.join()).isPresent();
        until(() -> waiting.size() == 0);
        assertThat(rule.throttle().snapshot().waiting()).isZero();
        assertThat(rule.throttle().snapshot().refused()).isEqualTo(1);
    }
}
