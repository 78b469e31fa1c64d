package dev.latchkey.throttle.spring;

import static dev.latchkey.throttle.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.spring.ThrottleProperties.Counts;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import dev.latchkey.throttle.spring.ThrottleProperties.Rate;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;

/** A request that waits for its turn, behind filters that wrap the request. */
class WaitingRequestTest {

    private final GuardTime time = GuardTime.start();

    @AfterEach
    void stop() {
        time.close();
    }

    private ThrottleRule onePasses() {
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
        return ThrottleRule.of("waits", endpoints, time, ThrottleListener.NONE);
    }

    private static MockHttpServletRequest request() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/x");
        request.setServletPath("/x");
        request.setAsyncSupported(true);
        return request;
    }

    /** The filter of throttles, a filter that wraps the request, the filter that waits, and the service. */
    private static void pass(
            ThrottleFilter throttles, HttpServletRequest request, HttpServletResponse response, List<Object> passed)
            throws Exception {
        throttles.doFilter(request, response, (counted, answer) -> {
            HttpServletRequest wrapped = new HttpServletRequestWrapper((HttpServletRequest) counted);
            new WaitingRequestFilter().doFilter(wrapped, answer, (asked, answered) -> passed.add(asked));
        });
    }

    /** Jetty doubles the parameters of the query if it dispatches a wrapped request. */
    @Test
    void requestOfTheContainerIsDispatched_andTheServiceGetsTheWrappedRequest() throws Exception {
        ThrottleRule rule = onePasses();
        ThrottleFilter filter =
                new ThrottleFilter(List.of(rule), TrustedProxies.none(), time, new CallerNames(Optional::empty));
        List<Object> passed = new ArrayList<>();
        pass(filter, request(), new MockHttpServletResponse(), passed);
        assertThat(passed).hasSize(1);

        MockHttpServletRequest container = request();
        MockHttpServletResponse response = new MockHttpServletResponse();
        HttpServletRequest outer = new HttpServletRequestWrapper(container);
        pass(filter, outer, response, passed);
        assertThat(passed).hasSize(1);
        AsyncContext async = Objects.requireNonNull(container.getAsyncContext());
        assertThat(async.getRequest()).isSameAs(container);
        assertThat(async.getResponse()).isSameAs(response);

        AtomicInteger dispatches = new AtomicInteger();
        ((MockAsyncContext) async).addDispatchHandler(dispatches::incrementAndGet);
        rule.throttle().changeRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000));
        until(() -> dispatches.get() == 1);
        fail(async);
        assertThat(container.isAsyncStarted())
                .as("an error of the service is the container's to answer")
                .isTrue();
        container.setDispatcherType(DispatcherType.ASYNC);
        container.setAsyncStarted(false);
        pass(filter, container, response, passed);
        assertThat(passed).hasSize(2);
        HttpServletRequestWrapper served = (HttpServletRequestWrapper) passed.get(1);
        assertThat(((HttpServletRequestWrapper) served.getRequest())).isSameAs(outer);
    }

    private static void fail(AsyncContext async) throws IOException {
        for (AsyncListener listener : ((MockAsyncContext) async).getListeners()) {
            listener.onError(new AsyncEvent(async, new IllegalStateException("of a test")));
        }
    }

    @Test
    void errorDuringTheWait_completesTheRequest() throws Exception {
        ThrottleRule rule = onePasses();
        begin(rule);
        RequestThrottle waiting = begin(rule);
        MockHttpServletRequest container = request();
        WaitingRequestFilter.require(container, waiting);
        new WaitingRequestFilter().doFilter(container, new MockHttpServletResponse(), (asked, answered) -> {
            throw new AssertionError("It has to wait");
        });
        assertThat(container.isAsyncStarted()).isTrue();
        fail(Objects.requireNonNull(container.getAsyncContext()));
        assertThat(container.isAsyncStarted()).isFalse();
        assertThat(waiting.result()).isCancelled();
    }

    /** A dispatch leads to the path of the client's request, and the forward leads to another path. */
    @Test
    @Timeout(60)
    void forwardedRequest_waitsWithItsThread() throws Exception {
        ThrottleRule rule = onePasses();
        RequestThrottle first = begin(rule);
        assertThat(first.result()).isDone();
        RequestThrottle second = begin(rule);
        MockHttpServletRequest forwarded = request();
        forwarded.setDispatcherType(DispatcherType.FORWARD);
        WaitingRequestFilter.require(forwarded, second);
        List<Object> passed = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
            try {
                new WaitingRequestFilter()
                        .doFilter(forwarded, new MockHttpServletResponse(), (asked, answered) -> passed.add(asked));
            } catch (IOException | ServletException e) {
                throw new AssertionError(e);
            }
        });
        until(() -> forwarded.getAttribute(WaitingRequestFilter.class.getName() + ".throttle") == null);
        assertThat(passed).isEmpty();
        rule.throttle().changeRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000));
        done.join();
        assertThat(passed).containsExactly(forwarded);
        assertThat(forwarded.isAsyncStarted()).isFalse();
    }

    /** A filter with asynchronous work of its own dispatches the request later, and the request waits then. */
    @Test
    void requestThatAFilterProcessesAsynchronously_keepsItsPlace() {
        ThrottleRule rule = onePasses();
        begin(rule);
        RequestThrottle throttle = begin(rule);
        MockHttpServletRequest request = request();
        WaitingRequestFilter.require(request, throttle);
        request.startAsync();
        assertThat(WaitingRequestFilter.giveUp(request)).isFalse();
        assertThat(throttle.result()).isNotDone();
        request.setAsyncStarted(false);
        assertThat(WaitingRequestFilter.giveUp(request)).isTrue();
        assertThat(throttle.result()).isCancelled();
        assertThat(WaitingRequestFilter.giveUp(request)).isFalse();
    }

    private static RequestThrottle begin(ThrottleRule rule) {
        return RequestThrottle.begin(
                List.of(rule), null, TrustedProxies.none().sourceOf("192.0.2.1", name -> List.of()));
    }
}
