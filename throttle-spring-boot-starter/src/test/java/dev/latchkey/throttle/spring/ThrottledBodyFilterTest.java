package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.spring.ThrottleProperties.Counts;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import dev.latchkey.throttle.spring.ThrottleProperties.Rate;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;

class ThrottledBodyFilterTest {

    private final GuardTime time = GuardTime.start();
    private final ThrottledBodyFilter filter = new ThrottledBodyFilter(time);
    private final MockHttpServletResponse sent = new MockHttpServletResponse();

    @AfterEach
    void stop() {
        time.close();
    }

    /** Undertow sends the page to the response of an asynchronous dispatch, and accepts no bytes afterwards. */
    @Test
    void pageOfAnError_isWholeAtItsEnd_andNothingElseIsSent() throws Exception {
        filter.doFilter(request(DispatcherType.REQUEST), sent, (request, response) -> {
            response.getWriter().print("dropped");
            ((HttpServletResponse) response).sendError(410);
            response.getWriter().print("dropped");
            filter.doFilter(request(DispatcherType.ERROR), response, (again, page) -> page(page));
            assertThat(sent.getContentAsString()).isEqualTo("page");
            response.getOutputStream().print("dropped");
        });
        assertThat(sent.getContentAsString()).isEqualTo("page");
    }

    @Test
    void pageOfAnErrorToTheContainersResponse_isTheContainers() throws Exception {
        filter.doFilter(
                request(DispatcherType.ERROR),
                sent,
                (request, page) -> assertThat(page).isSameAs(sent));
    }

    /** The responses of MockMvc know no writes without a thread. */
    @Test
    void bodyOfATestOfTheService_isWhole() throws Exception {
        ThrottleRule rule = rule(new Rate(1_000_000, Duration.ofSeconds(1), 4096L), 10);
        MockHttpServletRequest container = request(DispatcherType.REQUEST);
        container.setAsyncSupported(true);
        filter.doFilter(container, sent, (request, response) -> {
            limit(request, rule);
            response.getOutputStream().write(new byte[40_000]);
        });
        assertThat(sent.getContentAsByteArray()).hasSize(40_000);
        assertThat(container.isAsyncStarted()).isFalse();
    }

    /** A client without the new cookie could not log in again. A script could not read a refusal without its CORS fields. */
    @Test
    void refusalOfABody_keepsTheFieldsOfOtherFilters_andNoFieldOfTheBody() throws Exception {
        ThrottleRule rule = rule(new Rate(1, Duration.ofDays(1), 1L), 0);
        sent.addHeader("Access-Control-Allow-Origin", "https://shop.example");
        filter.doFilter(request(DispatcherType.REQUEST), sent, (request, answer) -> {
            HttpServletResponse response = (HttpServletResponse) answer;
            response.addHeader("Content-Security-Policy", "default-src 'self'");
            response.addHeader("Set-Cookie", "remember-me=new");
            response.addHeader("Set-Cookie", "SESSION=1");
            response.setHeader("Content-Disposition", "attachment");
            response.setHeader("Content-Encoding", "br");
            response.setHeader("Cache-Control", "max-age=3600");
            response.setHeader("ETag", "\"1\"");
            response.setContentType("text/csv");
            response.setContentLength(40_000);
            limit(request, rule);
            response.getOutputStream().write(new byte[40_000]);
            response.getOutputStream().write(new byte[40_000]);
        });
        assertThat(sent.getStatus()).isEqualTo(429);
        assertThat(sent.getHeader("Access-Control-Allow-Origin")).isEqualTo("https://shop.example");
        assertThat(sent.getHeader("Content-Security-Policy")).isEqualTo("default-src 'self'");
        assertThat(sent.getHeaders("Set-Cookie")).hasSize(2);
        assertThat(sent.getContentType()).startsWith("application/problem+json");
        assertThat(sent.getHeaders("Cache-Control")).containsExactly("no-store");
        assertThat(sent.getHeaderNames())
                .doesNotContain("Content-Disposition", "Content-Encoding", "Content-Length", "ETag");
    }

    /** Jetty sets the cookie of a new session again. */
    @Test
    void refusalOfABody_keepsTheCookiesBesideOneThatTheServerSetsAgain() throws Exception {
        ThrottleRule rule = rule(new Rate(1, Duration.ofDays(1), 1L), 0);
        MockHttpServletResponse jetty = new MockHttpServletResponse() {
            @Override
            public void reset() {
                super.reset();
                addHeader("Set-Cookie", "SESSION=1");
            }
        };
        filter.doFilter(request(DispatcherType.REQUEST), jetty, (request, answer) -> {
            HttpServletResponse response = (HttpServletResponse) answer;
            response.addHeader("Set-Cookie", "SESSION=1");
            response.addHeader("Set-Cookie", "remember-me=new");
            limit(request, rule);
            response.getOutputStream().write(new byte[40_000]);
            response.getOutputStream().write(new byte[40_000]);
        });
        assertThat(jetty.getStatus()).isEqualTo(429);
        assertThat(jetty.getHeaders("Set-Cookie")).containsExactlyInAnyOrder("SESSION=1", "remember-me=new");
    }

    @Test
    void serviceThatWantsToWriteWithoutBlocking_isToldWhatToDo() throws Exception {
        ThrottleRule rule = rule(new Rate(1, Duration.ofDays(1), 5000L), 10);
        filter.doFilter(request(DispatcherType.REQUEST), new MockHttpServletResponse(), (request, response) -> {
            limit(request, rule);
            ServletOutputStream out = response.getOutputStream();
            assertThatIllegalStateException()
                    .isThrownBy(() -> out.setWriteListener(new AsyncServlets.NoListener()))
                    .withMessageContaining("Write with a thread of the service");
        });
    }

    /** The server has told the service already. An exception of the filter would be an error in the server's log. */
    @Test
    void clientThatLeft_isNoFailureOfTheFilter() throws Exception {
        ThrottleRule rule = rule(new Rate(1, Duration.ofDays(1), 100_000L), 10);
        filter.doFilter(request(DispatcherType.REQUEST), new Left(), (request, response) -> {
            limit(request, rule);
            ServletOutputStream out = response.getOutputStream();
            assertThatIOException()
                    .isThrownBy(() -> out.write(new byte[10_000]))
                    .withMessage("Broken pipe");
        });
        assertThat(rule.throttle().snapshot().waiting()).isZero();
    }

    /** The response for a client that has left. */
    private static final class Left extends MockHttpServletResponse {

        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void write(int b) throws IOException {
                    throw new IOException("Broken pipe");
                }
            };
        }
    }

    private ThrottleRule rule(Rate source, int maxWaiting) {
        Endpoints endpoints = new Endpoints(
                List.of("/**"),
                Counts.RESPONSE_BYTES,
                null,
                source,
                null,
                false,
                Duration.ofMinutes(1),
                maxWaiting,
                10,
                DataSize.ofKilobytes(4),
                DataSize.ofKilobytes(64),
                Duration.ofSeconds(10),
                true);
        return ThrottleRule.of("bodies", endpoints, time, ThrottleListener.NONE);
    }

    private static void limit(ServletRequest request, ThrottleRule rule) throws IOException {
        ThrottledBodyFilter.limit(
                (HttpServletRequest) request,
                List.of(rule),
                null,
                ClientSource.of("192.0.2.1").orElseThrow());
    }

    /** Some pages choose the stream, whatever the service has chosen. */
    private static void page(ServletResponse response) throws IOException {
        response.getOutputStream().print("page");
    }

    private static MockHttpServletRequest request(DispatcherType type) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setDispatcherType(type);
        return request;
    }
}
