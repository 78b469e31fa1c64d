package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.source.TrustedProxies;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

final class LoginThreadsTest {

    private static final HttpAnswer OK = new HttpAnswer(200, Map.of(), Map.of());

    private final GuardTime time = GuardTime.start();
    private final HeldRefusals held = new HeldRefusals(Duration.ZERO, 1, time);
    private final AtomicBoolean hashBegins = new AtomicBoolean();
    private final LoginThreads threads = new LoginThreads(1, hashBegins::get, held);
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);

    @AfterEach
    void close() {
        end.countDown();
        threads.close();
        time.close();
    }

    @Test
    void loginThatWouldWait_isForTheseThreads_whereTheRequestCanBeAsynchronous() {
        MockHttpServletRequest request = request();
        assertThat(threads.areFor(request)).isTrue();
        hashBegins.set(true);
        assertThat(threads.areFor(request)).isFalse();
        hashBegins.set(false);
        request.setAsyncSupported(false);
        assertThat(threads.areFor(request)).isFalse();
    }

    @Test
    void login_isAnsweredOnAnotherThread_withItsCall() throws Exception {
        AtomicReference<Thread> on = new AtomicReference<>();
        AtomicReference<Object> within = new AtomicReference<>();
        CurrentCall call = call();
        MockHttpServletResponse response = new MockHttpServletResponse();
        CountDownLatch completed = answer(call, response, () -> {
            on.set(Thread.currentThread());
            within.set(CurrentCall.get().orElseThrow());
            return OK;
        });

        assertThat(call.isEndingLater()).isTrue();
        await(completed);
        await(left);
        assertThat(on.get()).isNotSameAs(Thread.currentThread());
        assertThat(within.get()).isSameAs(call);
        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(CurrentCall.get()).isEmpty();
    }

    /** Such a thread serves many requests: it would keep the first one's. */
    @Test
    void threadLocalsOfTheFirstRequest_areNotSeenByLogins() {
        InheritableThreadLocal<String> ofARequest = new InheritableThreadLocal<>();
        AtomicReference<String> seen = new AtomicReference<>();
        ofARequest.set("first");
        try {
            await(answer(call(), new MockHttpServletResponse(), () -> {
                seen.set(String.valueOf(ofARequest.get()));
                return OK;
            }));
        } finally {
            ofARequest.remove();
        }
        assertThat(seen).hasValue("null");
    }

    @Test
    void loginWithoutAThread_is503() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch first = answer(call(), new MockHttpServletResponse(), () -> {
            running.countDown();
            await(end);
            return OK;
        });
        await(running);
        CurrentCall call = CurrentCall.of("192.0.2.2", TrustedProxies.none());
        MockHttpServletResponse response = new MockHttpServletResponse();

        await(answer(call, response, () -> OK));
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(call.isWithoutHash()).isTrue();
        assertThat(call.unavailable())
                .hasValueSatisfying(why -> assertThat(why.kind()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD));
        end.countDown();
        await(first);
    }

    /** Otherwise the request would stay open, and its login would count as running for ever. */
    @Test
    void loginForWhichTheMachineStartsNoThread_is503_andLeaves() {
        LoginThreads none = new LoginThreads(1, hashBegins::get, held, task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        MockHttpServletResponse response = new MockHttpServletResponse();

        await(answer(none, call(), response, () -> OK));
        await(left);
        assertThat(response.getStatus()).isEqualTo(503);
    }

    @Test
    void loginThatFails_endsItsRequestAllTheSame() {
        await(answer(call(), new MockHttpServletResponse(), () -> {
            throw new IllegalStateException("a mistake");
        }));
        await(left);
    }

    /** An HTTP/2 client may cancel its request. The server then uses the response for another request. */
    @Test
    void answerToARequestThatIsOver_isNotWritten() {
        MockHttpServletRequest request = request();
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockAsyncContext async = new MockAsyncContext(request, response);
        request.setAsyncContext(async);
        answer(threads, call(), request, response, () -> {
            for (AsyncListener listener : async.getListeners()) {
                ended(listener, async);
            }
            return OK;
        });
        await(left);
        assertThat(response.isCommitted()).isFalse();
        assertThat(response.getHeaderNames()).isEmpty();
    }

    private static void ended(AsyncListener listener, AsyncContext async) {
        try {
            listener.onError(new AsyncEvent(async));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CurrentCall call() {
        CurrentCall call = CurrentCall.of("192.0.2.1", TrustedProxies.none());
        call.atEnd(left::countDown);
        return call;
    }

    private static MockHttpServletRequest request() {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setAsyncSupported(true);
        return request;
    }

    private CountDownLatch answer(CurrentCall call, MockHttpServletResponse response, Supplier<HttpAnswer> login) {
        return answer(threads, call, response, login);
    }

    private static CountDownLatch answer(
            LoginThreads threads, CurrentCall call, MockHttpServletResponse response, Supplier<HttpAnswer> login) {
        CountDownLatch completed = new CountDownLatch(1);
        MockHttpServletRequest request = request();
        request.setAsyncContext(new MockAsyncContext(request, response) {
            @Override
            public void complete() {
                completed.countDown();
            }
        });
        answer(threads, call, request, response, login);
        return completed;
    }

    private static void answer(
            LoginThreads threads,
            CurrentCall call,
            MockHttpServletRequest request,
            MockHttpServletResponse response,
            Supplier<HttpAnswer> login) {
        threads.answer(
                call,
                new HttpServletRequestWrapper(request) {
                    @Override
                    public AsyncContext startAsync(ServletRequest shown, ServletResponse answered) {
                        return request.getAsyncContext();
                    }
                },
                response,
                login);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted", e);
        }
    }
}
