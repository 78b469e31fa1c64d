package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.source.TrustedProxies;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

final class CallFilterTest {

    private final AuthUnavailableException tooMany =
            AuthUnavailableException.overload("of this test", Duration.ofMillis(1_001));

    private final GuardTime time = GuardTime.start();
    private final HeldRefusals held = new HeldRefusals(Duration.ofHours(1), 1, time);
    private final LoginRush rush = new LoginRush(1, () -> 0, "ada"::equals, time::nanoTime);
    private final CallFilter filter = new CallFilter(TrustedProxies.none(), held, rush);

    @AfterEach
    void close() {
        held.close();
        time.close();
    }

    @Test
    void refusal_isHeldWithoutAThread_andCorrected() throws Exception {
        MockHttpServletRequest request = request();
        MockHttpServletResponse response = undecided(request, 403);

        assertThat(request.isAsyncStarted()).isTrue();
        assertThat(held.held()).isEqualTo(1);
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isEqualTo("2");
        assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");

        held.close();
        assertThat(request.isAsyncStarted()).isFalse();
    }

    @Test
    void refusalBeyondTheHeldOnes_isSentAtOnce() throws Exception {
        undecided(request(), 403);
        MockHttpServletRequest oneMore = request();

        assertThat(undecided(oneMore, 403).getStatus()).isEqualTo(503);
        assertThat(oneMore.isAsyncStarted()).isFalse();
        assertThat(held.held()).isEqualTo(1);
    }

    @Test
    void answerThatIsOnItsWay_isNotHeld() throws Exception {
        MockHttpServletRequest request = request();
        MockHttpServletResponse response = new MockHttpServletResponse();
        filter.doFilter(request, response, new MockFilterChain() {
            @Override
            public void doFilter(ServletRequest asked, ServletResponse answer) throws IOException {
                CurrentCall.get().orElseThrow().failed(tooMany);
                answer.flushBuffer();
            }
        });

        assertThat(request.isAsyncStarted()).isFalse();
        assertThat(held.held()).isZero();
    }

    @Test
    void otherStatusThanAFailure_isTheServers() throws Exception {
        assertThat(undecided(request(), 404).getStatus()).isEqualTo(404);
    }

    @Test
    void callIsKnownWithinTheFilter_andNotBehindIt() throws Exception {
        filter.doFilter(request(), new MockHttpServletResponse(), new MockFilterChain() {
            @Override
            public void doFilter(ServletRequest request, ServletResponse response) {
                assertThat(CurrentCall.get()).isPresent();
            }
        });

        assertThat(CurrentCall.get()).isEmpty();
    }

    @Test
    void loginBeyondThoseThatAreWorkedOn_isRefusedBeforeTheServersFilters_whileHashesAreWanting() throws Exception {
        rush.overloaded();
        rush.enter("grace");
        MockFilterChain server = new MockFilterChain();
        MockHttpServletRequest request = login("eve");
        MockHttpServletResponse response = new MockHttpServletResponse();
        filter.doFilter(request, response, server);

        assertThat(server.getRequest()).isNull();
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isEqualTo("1");
        assertThat(request.isAsyncStarted()).isTrue();
    }

    @Test
    void loginFromAKnownClient_andWhatIsNoLogin_passMeanwhile() throws Exception {
        rush.overloaded();
        rush.enter("grace");

        assertThat(reaches(login("ada"))).isTrue();
        assertThat(reaches(request())).isTrue();
    }

    @Test
    void loginWithoutAHash_beginsARush_andGivesItsOwnPlaceBack() throws Exception {
        filter.doFilter(login("eve"), new MockHttpServletResponse(), new MockFilterChain() {
            @Override
            public void doFilter(ServletRequest asked, ServletResponse answer) {
                CurrentCall.get().orElseThrow().foundNoHash();
            }
        });

        assertThat(rush.enter("eve")).isTrue();
        assertThat(rush.enter("eve")).isFalse();
    }

    /** Otherwise a directory that hangs, or a forged token each second, would keep out the server's own users. */
    @Test
    void overloadOfAnotherPart_beginsNoRush() throws Exception {
        filter.doFilter(login("eve"), new MockHttpServletResponse(), new MockFilterChain() {
            @Override
            public void doFilter(ServletRequest asked, ServletResponse answer) {
                CurrentCall.get().orElseThrow().failed(tooMany);
            }
        });

        assertThat(rush.enter("eve")).isTrue();
        assertThat(rush.enter("eve")).isTrue();
    }

    /** Otherwise a few silent clients would keep all other clients out. */
    @Test
    void loginWhoseBodyIsStillOnItsWay_takesNoPlace() throws Exception {
        rush.overloaded();
        List<Boolean> othersMeanwhile = new ArrayList<>();
        MockHttpServletRequest slow = new MockHttpServletRequest("POST", "/v3/auth/user/login") {
            private boolean arrived;

            @Override
            public String getParameter(String name) {
                if (!arrived) {
                    arrived = true;
                    othersMeanwhile.add(rush.enter("eve"));
                    rush.leave();
                }
                return "mallory";
            }
        };
        slow.setServletPath("/v3/auth/user/login");
        filter.doFilter(slow, new MockHttpServletResponse(), new MockFilterChain() {
            @Override
            public void doFilter(ServletRequest asked, ServletResponse answer) {
                asked.getParameter("username");
            }
        });

        assertThat(othersMeanwhile).containsExactly(true);
    }

    private boolean reaches(MockHttpServletRequest request) throws Exception {
        MockFilterChain server = new MockFilterChain();
        filter.doFilter(request, new MockHttpServletResponse(), server);
        return server.getRequest() != null;
    }

    private static MockHttpServletRequest login(String username) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/v3/auth/user/login");
        request.setServletPath("/v3/auth/user/login");
        request.addParameter("username", username);
        request.setAsyncSupported(true);
        return request;
    }

    private static MockHttpServletRequest request() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/v3/client/cs/config");
        request.setAsyncSupported(true);
        return request;
    }

    /** An undecided call of the plugin, with the server's answer of this status. */
    private MockHttpServletResponse undecided(MockHttpServletRequest request, int status) throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        filter.doFilter(request, response, new MockFilterChain() {
            @Override
            public void doFilter(ServletRequest asked, ServletResponse answer) throws IOException {
                CurrentCall.get().orElseThrow().failed(tooMany);
                ((HttpServletResponse) answer).sendError(status, "by the server");
            }
        });
        return response;
    }
}
