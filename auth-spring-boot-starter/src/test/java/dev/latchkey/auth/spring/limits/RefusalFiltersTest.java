package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.source.ForwardingHeader;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.ServletRefusals;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Mono;

/** The filters of a servlet service: exceptions that become answers, and answers that are held. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class RefusalFiltersTest {

    private final AuthUnavailableException overload =
            AuthUnavailableException.overload("too many", Duration.ofSeconds(3));

    private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/hello");
    private final MockHttpServletResponse response = new MockHttpServletResponse();
    private final GuardTime time = GuardTime.start();

    @AfterEach
    void stop() {
        time.close();
    }

    private void answer(FilterChain chain) throws Exception {
        new RefusalFilter(RequestContexts.of(null)).doFilter(request, response, chain);
    }

    private static FilterChain failing(Exception failure) {
        return (asked, answered) -> {
            answered.getWriter().write("half of an answer");
            if (failure instanceof ServletException wrapped) {
                throw wrapped;
            }
            throw (RuntimeException) failure;
        };
    }

    /** Of a plugin that has a bug. */
    private static RuntimeException bug() {
        LoginStep plugin = new LoginStep() {
            @Override
            public String name() {
                return "codes";
            }

            @Override
            public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
                throw new IllegalStateException("a bug");
            }

            @Override
            public StepResult answer(ChallengeResponse response, RequestContext context) {
                throw new IllegalStateException("a bug");
            }
        };
        return catchThrowableOfType(
                AuthPluginException.class,
                () -> AuthChain.of(plugin)
                        .outsideLogins()
                        .wantedSteps(Authenticated.as(Subject.of("alice")), RequestContext.none()));
    }

    @Test
    void refusal_isAnswered_withoutTheHalfThatWasWritten() throws Exception {
        answer(failing(overload));
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isEqualTo("3");
        assertThat(response.getContentAsString()).startsWith("{").doesNotContain("half");
    }

    @Test
    void refusalWithinAnExceptionOfMvc_isAnsweredAlike() throws Exception {
        answer(failing(new ServletException(new IllegalStateException(overload))));
        assertThat(response.getStatus()).isEqualTo(503);
    }

    @Test
    void failedPlugin_isAnErrorOfTheServer_andIsLogged(CapturedOutput log) throws Exception {
        answer(failing(bug()));
        assertThat(response.getStatus()).isEqualTo(500);
        assertThat(log).contains("A request was refused because a plugin failed", "a bug");
    }

    @Test
    void failedPluginWithinAnExceptionOfMvc_isAnErrorOfTheServer() throws Exception {
        answer(failing(new ServletException(bug())));
        assertThat(response.getStatus()).isEqualTo(500);
    }

    @Test
    void failedPluginOnWebFlux_isAnErrorOfTheServer_andIsLogged(CapturedOutput log) {
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/hello"));
        new ReactiveRefusalFilter(null, RequestContexts.of(null), new ReactiveRefusals(null))
                .filter(exchange, next -> Mono.error(bug()))
                .block(Duration.ofSeconds(20));
        assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
        assertThat(log).contains("A request was refused because a plugin failed", "a bug");
    }

    @Test
    void otherException_isTheServices() {
        ServletException other = new ServletException(new IllegalStateException("other"));
        assertThatThrownBy(() -> answer(failing(other))).isSameAs(other);
        IllegalStateException plain = new IllegalStateException("plain");
        assertThatThrownBy(() -> answer(failing(plain))).isSameAs(plain);
    }

    @Test
    void refusalAfterTheAnswer_isThrownOn() {
        response.setCommitted(true);
        assertThatThrownBy(() -> answer((asked, answered) -> {
                    throw overload;
                }))
                .isSameAs(overload);
    }

    @Test
    void request_isKnownWithinTheFilterAlone() throws Exception {
        request.addHeader("X-Device", "phone");
        List<Object> within = new ArrayList<>();
        CurrentLogin before = CurrentLogin.here();
        answer((asked, answered) -> {
            within.add(CurrentRequest.context().header("X-Device"));
            within.add(CurrentRequest.isAnswered());
            within.add(CurrentRequest.context().address());
        });
        assertThat(within).containsExactly(List.of("phone"), true, Optional.of("127.0.0.1"));
        assertThat(CurrentLogin.here()).isSameAs(before);
        assertThat(CurrentRequest.isAnswered()).isFalse();
    }

    private MockAsyncContext held(HeldRefusals refusals, FilterChain chain) throws Exception {
        new HeldRefusalFilter(refusals, TrustedProxies.none()).doFilter(request, response, chain);
        return (MockAsyncContext) request.getAsyncContext();
    }

    @Test
    void markedAnswer_isHeld_andSentAtOnceWhereThereIsNoRoom() throws Exception {
        request.setAsyncSupported(true);
        FilterChain refusing = (asked, answered) -> ServletRefusals.mark(overload, asked);
        try (HeldRefusals refusals = new HeldRefusals(Duration.ofHours(1), 1, time)) {
            MockAsyncContext first = held(refusals, refusing);
            assertThat(refusals.held()).isEqualTo(1);
            assertThat(first.getTimeout()).isZero();
            MockHttpServletRequest another = new MockHttpServletRequest("GET", "/hello");
            another.setAsyncSupported(true);
            new HeldRefusalFilter(refusals, TrustedProxies.none())
                    .doFilter(another, new MockHttpServletResponse(), refusing);
            assertThat(refusals.held()).isEqualTo(1);
            assertThat(another.isAsyncStarted()).as("completed at once").isFalse();
            assertThat(request.isAsyncStarted()).isTrue();
        }
    }

    /** Tomcat uses the objects of an ended request for another request, and without a completion its own error handling may. */
    @Test
    void requestThatTheContainerEnds_isCompletedOnce() throws Exception {
        request.setAsyncSupported(true);
        AtomicInteger completions = new AtomicInteger();
        request.setAsyncContext(new MockAsyncContext(request, response) {
            @Override
            public void complete() {
                completions.incrementAndGet();
            }
        });
        HttpServletRequest started = new HttpServletRequestWrapper(request) {
            @Override
            public AsyncContext startAsync(ServletRequest shown, ServletResponse answered) {
                return request.getAsyncContext();
            }
        };
        HeldRequest held = HeldRequest.start(started, response);
        MockAsyncContext async = (MockAsyncContext) request.getAsyncContext();
        for (AsyncListener listener : async.getListeners()) {
            listener.onError(new AsyncEvent(async));
        }
        assertThat(completions).hasValue(1);
        held.complete();
        assertThat(completions).hasValue(1);
    }

    @Test
    void requestThatIsComplete_isNotCompletedAgain() {
        request.setAsyncSupported(true);
        HeldRequest held = HeldRequest.start(request, response);
        MockAsyncContext async = (MockAsyncContext) request.getAsyncContext();
        AtomicInteger ends = new AtomicInteger();
        async.addListener(new AsyncListener() {
            @Override
            public void onComplete(AsyncEvent event) {
                ends.incrementAndGet();
            }

            @Override
            public void onTimeout(AsyncEvent event) {}

            @Override
            public void onError(AsyncEvent event) {}

            @Override
            public void onStartAsync(AsyncEvent event) {}
        });
        held.complete();
        held.complete();
        assertThat(ends).hasValue(1);
    }

    @Test
    void answerThatIsNotMarked_orSent_orCannotWait_isNotHeld() throws Exception {
        FilterChain refusing = (asked, answered) -> ServletRefusals.mark(overload, asked);
        try (HeldRefusals refusals = new HeldRefusals(Duration.ofHours(1), 9, time)) {
            request.setAsyncSupported(true);
            held(refusals, (asked, answered) -> {});
            assertThat(refusals.held()).isZero();
            request.setAsyncSupported(false);
            held(refusals, refusing);
            assertThat(refusals.held()).isZero();
            request.setAsyncSupported(true);
            response.setCommitted(true);
            held(refusals, refusing);
            assertThat(refusals.held()).isZero();
            response.setCommitted(false);
            request.startAsync();
            held(refusals, refusing);
            assertThat(refusals.held()).as("the service answers later").isZero();
        }
    }

    @Test
    void requestOfAnotherProtocol_passes() throws Exception {
        ServletRequest other = new ServletRequestWrapper(request);
        List<Object> passed = new ArrayList<>();
        try (HeldRefusals refusals = new HeldRefusals(Duration.ofHours(1), 1, time)) {
            new HeldRefusalFilter(refusals, TrustedProxies.none())
                    .doFilter(other, response, (asked, answered) -> passed.add(asked));
        }
        assertThat(passed).containsExactly(other);
    }

    @Test
    void clientIp_isThatBehindATrustedProxy() throws Exception {
        request.setRemoteAddr("127.0.0.1");
        request.addHeader("X-Forwarded-For", "192.0.2.7");
        List<Object> within = new ArrayList<>();
        try (HeldRefusals refusals = new HeldRefusals(Duration.ofHours(1), 1, time)) {
            new HeldRefusalFilter(refusals, TrustedProxies.of(ForwardingHeader.X_FORWARDED_FOR, List.of("127.0.0.1")))
                    .doFilter(request, response, (asked, answered) -> within.add(CurrentRequest.source()));
        }
        assertThat(within).singleElement().asString().contains("192.0.2.7");
    }

    @Test
    void clientIp_isKnownWithinTheFilterAlone() throws Exception {
        request.setRemoteAddr("192.0.2.7");
        List<Object> within = new ArrayList<>();
        CurrentLogin before = CurrentLogin.here();
        try (HeldRefusals refusals = new HeldRefusals(Duration.ofHours(1), 1, time)) {
            held(refusals, (asked, answered) -> within.add(CurrentRequest.source()));
        }
        assertThat(within).singleElement().asString().contains("192.0.2.7");
        assertThat(CurrentLogin.here()).isSameAs(before);
    }
}
