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
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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

    /** Jetty doubles the parameters of the query if it dispatches a wrapped request. */
    @Test
    void requestOfTheContainerIsDispatched_andTheServiceGetsTheWrappedRequest() throws Exception {
        ThrottleRule rule = onePasses();
        ThrottleFilter filter =
                new ThrottleFilter(List.of(rule), TrustedProxies.none(), time, new CallerNames(Optional::empty));
        List<Object> passed = new ArrayList<>();
        filter.doFilter(request(), new MockHttpServletResponse(), (asked, answered) -> passed.add(asked));
        assertThat(passed).hasSize(1);

        MockHttpServletRequest container = request();
        MockHttpServletResponse response = new MockHttpServletResponse();
        HttpServletRequest wrapped = new HttpServletRequestWrapper(container);
        filter.doFilter(wrapped, response, (asked, answered) -> passed.add(asked));
        assertThat(passed).hasSize(1);
        AsyncContext async = Objects.requireNonNull(container.getAsyncContext());
        assertThat(async.getRequest()).isSameAs(container);
        assertThat(async.getResponse()).isSameAs(response);

        AtomicInteger dispatches = new AtomicInteger();
        ((MockAsyncContext) async).addDispatchHandler(dispatches::incrementAndGet);
        rule.throttle().changeRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000));
        until(() -> dispatches.get() == 1);
        container.setDispatcherType(DispatcherType.ASYNC);
        filter.doFilter(container, response, (asked, answered) -> passed.add(asked));
        assertThat(passed).hasSize(2);
        assertThat(passed.get(1)).isSameAs(wrapped);
    }
}
