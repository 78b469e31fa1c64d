package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

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
