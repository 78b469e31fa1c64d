package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.throttle.ThrottleScope;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/**
 * Filters of the service behind Spring Security, in Boot's default order and for Boot's default dispatcher type: {@code REQUEST}
 * alone. Each request must pass them, also a request that waits.
 */
class FiltersOfTheServiceTest {

    private static final String NEVER = ".per=1d";
    private static final String STRANGER = "192.0.2.66";
    private static final String GUEST = "192.0.2.67";
    private static final String ANSWERED = "192.0.2.68";
    private static final String SHORT_BODY = new String(ThrottledService.body(3), StandardCharsets.US_ASCII);
    private static final AtomicInteger PASSED = new AtomicInteger();

    private static ThrottledService service;

    @BeforeAll
    static void start() {
        service = ThrottledService.start(
                Filters.class,
                "server.tomcat.threads.max=80",
                "latchkey.throttle.waiting.paths=/bodies/bytes/*",
                "latchkey.throttle.waiting.max-wait=1h",
                "latchkey.throttle.waiting.global.tokens=1",
                "latchkey.throttle.waiting.global.burst=1",
                "latchkey.throttle.waiting.global" + NEVER,
                "latchkey.throttle.writers.paths=/bodies/writer/*",
                "latchkey.throttle.writers.max-wait=1h",
                "latchkey.throttle.writers.global.tokens=1",
                "latchkey.throttle.writers.global.burst=1",
                "latchkey.throttle.writers.global" + NEVER,
                "latchkey.throttle.singles.paths=/bodies/one-by-one/*",
                "latchkey.throttle.singles.max-wait=1h",
                "latchkey.throttle.singles.global.tokens=1",
                "latchkey.throttle.singles.global.burst=1",
                "latchkey.throttle.singles.global" + NEVER,
                "latchkey.throttle.own.paths=/own/*",
                "latchkey.throttle.own.max-wait=1h",
                "latchkey.throttle.own.principal.tokens=1",
                "latchkey.throttle.own.principal.burst=1",
                "latchkey.throttle.own.principal" + NEVER,
                "latchkey.throttle.zone.paths=/bodies/bytes/3*",
                "latchkey.throttle.zone.global.tokens=1",
                "latchkey.throttle.zone.global.burst=1",
                "latchkey.throttle.zone.global" + NEVER,
                "latchkey.throttle.bytes.paths=/bodies/**",
                "latchkey.throttle.bytes.counts=response-bytes",
                "latchkey.throttle.bytes.max-wait=1h",
                "latchkey.throttle.bytes.source.tokens=1000000");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void waitingRequest_hasPassedEachFilter_once() {
        service.get("/bodies/bytes/10").join();
        int passed = PASSED.get();
        List<CompletableFuture<HttpResponse<byte[]>>> waiting = IntStream.range(0, 5)
                .mapToObj(i -> service.get("/bodies/bytes/" + (100 + i)))
                .toList();
        List<CompletableFuture<HttpResponse<byte[]>>> oneOfTwo =
                List.of(service.get("/bodies/bytes/30"), service.get("/bodies/bytes/31"));
        CompletableFuture<HttpResponse<byte[]>> stranger = service.get("/bodies/bytes/10", STRANGER);
        CompletableFuture<HttpResponse<byte[]>> guest = service.get("/bodies/bytes/10", GUEST);
        service.await("waiting", throttle -> throttle.waiting() >= 7);

        service.controls().changeRate("waiting", ThrottleScope.GLOBAL, new BucketRate(1000, Duration.ofSeconds(1), 30));
        for (int i = 0; i < 5; i++) {
            HttpResponse<byte[]> answer = waiting.get(i).join();
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(ThrottledService.body(100 + i));
            assertThat(answer.headers().allValues("RateLimit-Policy")).isNotEmpty();
        }
        assertThat(oneOfTwo.stream().map(each -> each.join().statusCode())).containsExactlyInAnyOrder(200, 503);
        assertThat(stranger.join().statusCode()).as("rejected by a filter").isEqualTo(403);
        assertThat(guest.join().statusCode()).as("rejected by a plain bean").isEqualTo(402);
        assertThat(PASSED).as("also the stranger").hasValue(passed + 7);
        assertThat(service.controls().snapshot("waiting").waiting()).isZero();
    }

    @Test
    void filter_worksOnTheAnswerAfterTheWait() {
        HttpResponse<byte[]> first = service.get("/bodies/one-by-one/3").join();
        assertThat(first.body()).asString().isEqualTo(SHORT_BODY + "!");
        CompletableFuture<HttpResponse<byte[]>> second = service.get("/bodies/one-by-one/3");
        service.await("singles", throttle -> throttle.waiting() == 1);
        service.controls().changeRate("singles", ThrottleScope.GLOBAL, new BucketRate(1000, Duration.ofSeconds(1), 30));
        assertThat(second.join().body()).asString().isEqualTo(SHORT_BODY + "!");
        assertThat(first.headers().firstValue("ETag")).isPresent();
        assertThat(second.join().headers().firstValue("ETag"))
                .isEqualTo(first.headers().firstValue("ETag"));
    }

    @Test
    void userOfAFilter_isTheUserOfTheServiceAfterTheWait() {
        assertThat(service.getAs("ann", "/own/1").join().body()).asString().isEqualTo("guest of ann");
        CompletableFuture<HttpResponse<byte[]>> second = service.getAs("ann", "/own/1");
        service.await("own", throttle -> throttle.waiting() == 1);
        service.controls().changeRate("own", ThrottleScope.PRINCIPAL, new BucketRate(1000, Duration.ofSeconds(1), 30));
        assertThat(second.join().body()).asString().isEqualTo("guest of ann");
    }

    @Test
    void answerOfAFilter_waitsToo() {
        service.get("/bodies/writer/10").join();
        CompletableFuture<HttpResponse<byte[]>> second = service.get("/bodies/writer/10", ANSWERED);
        service.await("writers", throttle -> throttle.waiting() == 1);
        assertThat(second).isNotDone();
        service.controls().changeRate("writers", ThrottleScope.GLOBAL, new BucketRate(1000, Duration.ofSeconds(1), 30));
        assertThat(second.join().statusCode()).isEqualTo(200);
    }

    @Configuration(proxyBeanMethods = false)
    static class Filters {

        /** A bean alone, as a {@code @Component}. */
        @Bean
        Filter noGuests() {
            return (request, response, chain) -> {
                if (GUEST.equals(((HttpServletRequest) request).getHeader("X-Forwarded-For"))) {
                    ((HttpServletResponse) response).setStatus(402);
                } else {
                    PASSED.incrementAndGet();
                    chain.doFilter(request, response);
                }
            };
        }

        @Bean
        FilterRegistrationBean<Filter> withAnEnd() {
            FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
                chain.doFilter(request, response);
                response.getOutputStream().write('!');
            });
            filter.addUrlPatterns("/bodies/one-by-one/*");
            return filter;
        }

        @Bean
        FilterRegistrationBean<Filter> withATag() {
            FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>(new ShallowEtagHeaderFilter());
            filter.addUrlPatterns("/bodies/one-by-one/*");
            filter.setOrder(0);
            return filter;
        }

        @Bean
        FilterRegistrationBean<Filter> asAGuest() {
            FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
                SecurityContext before = SecurityContextHolder.getContext();
                String guest = "guest of " + before.getAuthentication().getName();
                SecurityContextHolder.setContext(
                        new SecurityContextImpl(new TestingAuthenticationToken(guest, null, "ROLE_GUEST")));
                try {
                    chain.doFilter(request, response);
                } finally {
                    SecurityContextHolder.setContext(before);
                }
            });
            filter.addUrlPatterns("/own/*");
            return filter;
        }

        /** Behind all filters without {@code matchAfter}. */
        @Bean
        FilterRegistrationBean<Filter> noStrangers() {
            FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
                HttpServletRequest http = (HttpServletRequest) request;
                String client = http.getHeader("X-Forwarded-For");
                if (STRANGER.equals(client)) {
                    ((HttpServletResponse) response).setStatus(403);
                } else if (!ANSWERED.equals(client)) {
                    chain.doFilter(new HttpServletRequestWrapper(http), response);
                }
            });
            filter.setMatchAfter(true);
            return filter;
        }
    }
}
