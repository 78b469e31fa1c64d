package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.http.RequestContexts;
import jakarta.servlet.FilterChain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

final class RefusalResolverTest {

    private final StaticApplicationContext context = new StaticApplicationContext();
    private final RefusalResolver resolver = new RefusalResolver(context);
    private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/hello");
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    @BeforeEach
    void start() {
        context.refresh();
    }

    private Object resolve() {
        return resolver.resolveException(request, response, new Object(), AuthUnavailableException.outage("down"));
    }

    @Test
    void refusalWithinTheFilter_isBroughtToIt() throws Exception {
        FilterChain controller = (shown, answered) -> resolve();
        new RefusalFilter(RequestContexts.of(null)).doFilter(request, response, controller);
        assertThat(response.getStatus()).isEqualTo(503);
    }

    /** An error dispatch has the same request, and the filter is not around the dispatch: no filter would answer. */
    @Test
    void refusalBehindTheFilter_isLeftToTheService() throws Exception {
        new RefusalFilter(RequestContexts.of(null)).doFilter(request, response, (shown, answered) -> {});
        assertThat(resolve()).isNull();
    }
}
