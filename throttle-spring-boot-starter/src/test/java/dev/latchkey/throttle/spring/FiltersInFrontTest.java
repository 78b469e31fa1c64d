package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.throttle.ThrottleScope;
import jakarta.servlet.Filter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/** A filter in front of Spring Security keeps the body until its own end. At the first order, the filter may be in front of all. */
class FiltersInFrontTest {

    @ParameterizedTest
    @ValueSource(ints = {Ordered.HIGHEST_PRECEDENCE, Ordered.HIGHEST_PRECEDENCE + 100})
    void throttledBodyIsWhole(int order) {
        try (ThrottledService service = ThrottledService.start(
                Filters.class,
                "order=" + order,
                "latchkey.throttle.bodies.paths=/bodies/**",
                "latchkey.throttle.bodies.counts=response-bytes",
                "latchkey.throttle.bodies.max-wait=1h",
                "latchkey.throttle.bodies.chunk=1000B",
                "latchkey.throttle.bodies.global.per=1d",
                "latchkey.throttle.bodies.global.burst=1000",
                "latchkey.throttle.bodies.global.tokens=1000")) {
            for (String body : new String[] {"bytes", "writer", "streaming", "deferred"}) {
                CompletableFuture<HttpResponse<byte[]>> answer = service.get("/bodies/" + body + "/5000");
                service.await("bodies", throttle -> throttle.waiting() == 1);
                service.controls()
                        .changeRate(
                                "bodies", ThrottleScope.GLOBAL, new BucketRate(1_000_000, Duration.ofSeconds(1), 1000));
                assertThat(answer.join().body()).as(body).hasSizeBetween(5000, 5002);
                assertThat(answer.join().body()).endsWith(ThrottledService.body(5000));
                service.controls()
                        .changeRate("bodies", ThrottleScope.GLOBAL, new BucketRate(1000, Duration.ofDays(1), 1000));
            }
            assertThat(service.get("/plain").join().body()).asString().isEqualTo("plain");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Filters {

        @Bean
        FilterRegistrationBean<Filter> withATag(@Value("${order}") int order) {
            FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>(new ShallowEtagHeaderFilter());
            filter.setOrder(order);
            return filter;
        }
    }
}
