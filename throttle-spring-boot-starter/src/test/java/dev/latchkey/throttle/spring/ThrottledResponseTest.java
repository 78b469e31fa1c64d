package dev.latchkey.throttle.spring;

import static dev.latchkey.throttle.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.spring.ThrottleProperties.Counts;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import dev.latchkey.throttle.spring.ThrottleProperties.Rate;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;

/** The senders of the parts of an asynchronous body. */
class ThrottledResponseTest {

    private static final int BODY = 60_000;
    private static final Rate BURST = new Rate(100_000, Duration.ofSeconds(1), 10_000L);
    private static final Rate STOPPED = new Rate(1, Duration.ofDays(1), 10_000L);

    private final GuardTime time = GuardTime.start();
    private final MockHttpServletRequest container = new MockHttpServletRequest();
    private final MockHttpServletResponse sent = new MockHttpServletResponse();
    private final ThrottledResponse response = throttled(new Rate(1_000_000, Duration.ofSeconds(1), 100_000L));
    private final ThrottledRequest request = new ThrottledRequest(container, response);

    @BeforeEach
    void allowAsync() {
        container.setAsyncSupported(true);
    }

    @AfterEach
    void stop() {
        time.close();
    }

    private ThrottledResponse throttled(Rate rate) {
        return throttled(sent, rate, PendingPieces.Memory.ofThisProcess());
    }

    private ThrottledResponse throttled(MockHttpServletResponse sent, Rate rate, PendingPieces.Memory memory) {
        return throttled(sent, rule(rate), memory);
    }

    private ThrottleRule rule(Rate rate) {
        Endpoints endpoints = new Endpoints(
                List.of("/**"),
                Counts.RESPONSE_BYTES,
                null,
                rate,
                null,
                false,
                Duration.ofMinutes(1),
                10,
                10,
                DataSize.ofKilobytes(4),
                DataSize.ofKilobytes(64),
                Duration.ofSeconds(10),
                true);
        return ThrottleRule.of("bodies", endpoints, time, ThrottleListener.NONE);
    }

    private ThrottledResponse throttled(MockHttpServletResponse sent, ThrottleRule rule, PendingPieces.Memory memory) {
        ThrottledResponse throttled = new ThrottledResponse(container, sent, memory);
        try {
            throttled.limit(throttle(rule));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return throttled;
    }

    private static BodyThrottle throttle(ThrottleRule rule) {
        return BodyThrottle.of(List.of(rule), null, ClientSource.of("192.0.2.1").orElseThrow());
    }

    /** One piece passes, and then nothing. */
    private ThrottledResponse stopped() {
        sent.setBufferSize(8192);
        return throttled(new Rate(1, Duration.ofDays(1), 4096L));
    }

    @Test
    void threadThatReturns_leavesTheBodyToTheOneThatWritesIt() throws IOException {
        request.startAsync(request, response);
        response.getOutputStream().write(new byte[5000]);
        response.body().finish(time);
        // A piece went when it was full; the rest is still being written.
        assertThat(sent.getContentAsByteArray()).hasSize(4096);
    }

    @Test
    void completing_sendsWhatTheWriterStillHas() throws IOException {
        AsyncContext async = request.startAsync(request, response);
        response.getWriter().print("whole");
        assertThat(sent.getContentAsString()).isEmpty();
        async.complete();
        assertThat(sent.getContentAsString()).isEqualTo("whole");
        assertThat(container.isAsyncStarted()).isFalse();
    }

    @Test
    void completingFromAListener_sendsTheRestToo() throws IOException {
        AsyncContext async = request.startAsync();
        async.addListener(new CompletesOnTimeout());
        response.getOutputStream().write(new byte[10]);
        MockAsyncContext containers = (MockAsyncContext) container.getAsyncContext();
        AsyncListener added = containers.getListeners().get(1);
        added.onTimeout(new AsyncEvent(containers));
        assertThat(sent.getContentAsByteArray()).hasSize(10);
    }

    /** On Jetty, asynchronous processing ends when the thread of the request returns, whenever the service completes. */
    @Test
    void bytesAfterTheCompletion_areSentAtTheReturn() throws IOException {
        MockHttpServletRequest jetty = new MockHttpServletRequest() {
            @Override
            public boolean isAsyncStarted() {
                return true;
            }
        };
        jetty.setAsyncSupported(true);
        ThrottledResponse response = new ThrottledResponse(jetty, sent, PendingPieces.Memory.ofThisProcess());
        response.limit(throttle(rule(new Rate(1_000_000, Duration.ofSeconds(1), 100_000L))));
        AsyncContext async = new ThrottledRequest(jetty, response).startAsync();
        response.getOutputStream().write(new byte[10]);
        async.complete();
        response.getOutputStream().write(new byte[10]);
        response.body().finish(time);
        assertThat(sent.getContentAsByteArray()).hasSize(20);
    }

    /** A server may use the stream for another client by then. */
    @Test
    void streamOfABrokenConnection_isUsedNoMore() throws IOException {
        Broken broken = new Broken();
        ThrottledResponse response =
                throttled(broken, new Rate(1_000_000, Duration.ofSeconds(1), 100_000L), PendingPieces.Memory.of(0));
        AsyncContext async = new ThrottledRequest(container, response).startAsync();
        ServletOutputStream out = response.getOutputStream();
        assertThatIOException().isThrownBy(() -> out.write(new byte[20_000]));
        assertThatIOException().isThrownBy(() -> out.write(new byte[4096]));
        assertThatIOException().isThrownBy(out::flush);
        async.complete();
        assertThat(broken.writes).isOne();
        assertThat(container.isAsyncStarted()).isFalse();
    }

    /** The service completes with one thread while another still writes. */
    @Test
    void threadThatWaitsForItsThrottle_writesNothingAfterTheEnd() throws Exception {
        ThrottleRule rule = rule(new Rate(1, Duration.ofDays(1), 4096L));
        ThrottledResponse response = throttled(sent, rule, PendingPieces.Memory.ofThisProcess());
        AsyncContext async = new ThrottledRequest(container, response).startAsync();
        CompletableFuture<Void> late = CompletableFuture.runAsync(() -> {
            try {
                response.getOutputStream().write(new byte[20_000]);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        until(() -> rule.throttle().snapshot().waiting() == 1);
        async.complete();
        rule.throttle().changeRate(ThrottleScope.SOURCE, BucketRate.perSecond(1_000_000));
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> late.get(10, TimeUnit.SECONDS))
                .withRootCauseInstanceOf(BodyThrottle.CutOffException.class);
        assertThat(sent.getContentAsByteArray()).hasSize(4096);
    }

    @Test
    void streamOfAFilterInFront_passesTheThrottleFromItsStart() throws IOException {
        sent.setBufferSize(8192);
        ThrottledResponse response = new ThrottledResponse(container, sent, PendingPieces.Memory.ofThisProcess());
        ServletOutputStream taken = response.getOutputStream();
        taken.write(new byte[10]);
        assertThat(sent.getContentAsByteArray()).as("without a throttle").hasSize(10);
        response.limit(throttle(rule(new Rate(1, Duration.ofDays(1), 4096L))));
        taken.write(new byte[12_288]);
        assertThat(sent.getContentAsByteArray()).hasSize(10 + 4096);
        response.limit(throttle(rule(new Rate(1_000_000, Duration.ofSeconds(1), 100_000L))));
        taken.write(new byte[4096]);
        assertThat(sent.getContentAsByteArray()).as("the first throttle").hasSize(10 + 4096);
    }

    @Test
    void bodyBehindAFilterWithItsOwnResponse_isSentBeforeTheFilterEnds() throws IOException {
        ThrottledResponse response = new ThrottledResponse(
                container, new HttpServletResponseWrapper(sent), PendingPieces.Memory.ofThisProcess());
        response.limit(throttle(rule(new Rate(1_000_000, Duration.ofSeconds(1), 4096L))));
        response.getOutputStream().write(new byte[12_288]);
        response.body().finish(time);
        assertThat(container.isAsyncStarted()).isFalse();
        assertThat(sent.getContentAsByteArray()).hasSize(12_288);
    }

    @Test
    void writerOfAFilterInFront_passesTheThrottle() throws IOException {
        ThrottledResponse response = new ThrottledResponse(container, sent, PendingPieces.Memory.ofThisProcess());
        response.getWriter().print("a");
        response.limit(throttle(rule(new Rate(1, Duration.ofDays(1), 4096L))));
        response.getWriter().print("b".repeat(12_288));
        response.getWriter().flush();
        assertThat(sent.getContentAsString()).isEqualTo("a" + "b".repeat(4095));
    }

    @Test
    void textBeforeAReset_isNeverSent() throws IOException {
        PrintWriter writer = response.getWriter();
        writer.print("secret");
        response.resetBuffer();
        writer.print("answer");
        response.body().finish(time);
        assertThat(sent.getContentAsString()).isEqualTo("answer");
        assertThat(sent.isCommitted()).as("the server writes the length").isFalse();
    }

    /** Undertow writes the page of an error within {@code sendError}, after an asynchronous dispatch to this response. */
    @Test
    void pageOfAnError_mayBeWrittenAtOnce_andNothingAfterIt() throws IOException {
        ThrottledResponse[] seen = new ThrottledResponse[1];
        MockHttpServletResponse atOnce = new MockHttpServletResponse() {

            @Override
            public void sendError(int status) throws IOException {
                setStatus(status);
                seen[0].getOutputStream().print("page");
            }
        };
        seen[0] = throttled(atOnce, new Rate(1_000_000, Duration.ofSeconds(1), 100_000L), memory());
        seen[0].getWriter().print("dropped");
        seen[0].sendError(410);
        seen[0].getOutputStream().print("after");
        seen[0].body().finish(time);
        assertThat(atOnce.getContentAsString()).isEqualTo("page");
    }

    private static PendingPieces.Memory memory() {
        return PendingPieces.Memory.ofThisProcess();
    }

    @Test
    void writerAfterAnError_writesNothing() throws IOException {
        response.sendError(410);
        response.getWriter().print("after");
        response.body().finish(time);
        assertThat(sent.getContentAsByteArray()).isEmpty();
    }

    @Test
    void bytesAfterTheClose_areDropped() throws IOException {
        ServletOutputStream out = response.getOutputStream();
        out.write(new byte[10]);
        out.close();
        out.write(new byte[10]);
        out.write(1);
        response.body().finish(time);
        assertThat(sent.getContentAsByteArray()).hasSize(10);
    }

    @Test
    void encodingOfAWriter_doesNotChange() throws IOException {
        response.setCharacterEncoding("UTF-8");
        PrintWriter writer = response.getWriter();
        response.setContentType("text/html;charset=ISO-8859-5");
        response.setHeader("Content-Type", "text/plain;charset=ISO-8859-5");
        response.setCharacterEncoding("ISO-8859-5");
        writer.print("ä");
        response.body().finish(time);
        assertThat(sent.getContentType()).isEqualToIgnoringCase("text/plain;charset=UTF-8");
        assertThat(sent.getContentAsString(StandardCharsets.UTF_8)).isEqualTo("ä");
    }

    @Test
    void listenerOfTheEnd_mayWriteTheBody() throws IOException {
        AsyncContext async = request.startAsync();
        async.addListener(new WritesAtTheEnd(response));
        async.complete();
        assertThat(sent.getContentAsByteArray()).hasSize(BODY);
    }

    @Test
    void waitOfAnAsynchronousBody_commitsNothingThatTheServerWouldNot() throws Exception {
        sent.setBufferSize(8192);
        ThrottleRule rule = rule(new Rate(1, Duration.ofDays(1), 4096L));
        ThrottledResponse response = new ThrottledResponse(container, sent, PendingPieces.Memory.ofThisProcess());
        response.limit(throttle(rule));
        ServletOutputStream out = response.getOutputStream();
        container.startAsync();
        Thread service = new Thread(() -> {
            try {
                out.write(new byte[8192]);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        service.start();
        until(() -> rule.throttle().snapshot().waiting() == 1);
        until(() -> service.getState() == Thread.State.TIMED_WAITING);
        assertThat(sent.isCommitted()).isFalse();
        rule.throttle().changeRate(ThrottleScope.SOURCE, BucketRate.perSecond(1_000_000));
        service.join();
        assertThat(sent.getContentAsByteArray()).hasSize(8192);
    }

    @Test
    void firstPiece_isSentBeforeTheServiceHasWrittenTheLast() throws IOException {
        ThrottledResponse response = stopped();
        response.getOutputStream().write(new byte[12_288]);
        assertThat(sent.isCommitted()).isTrue();
        assertThat(sent.getContentAsByteArray()).hasSize(4096);
    }

    @Test
    void bodyThatFitsTheServersBuffer_isNotCommittedSooner_soThatAnErrorMayReplaceIt() throws IOException {
        ThrottledResponse response = stopped();
        response.getOutputStream().write(new byte[8192]);
        assertThat(sent.isCommitted()).isFalse();
        response.reset();
        assertThat(sent.getContentAsByteArray()).isEmpty();
    }

    @Test
    void flushOfTheService_sendsWhatHasPassed() throws IOException {
        ThrottledResponse response = stopped();
        response.getOutputStream().write(new byte[5000]);
        response.flushBuffer();
        assertThat(sent.isCommitted()).isTrue();
        assertThat(sent.getContentAsByteArray()).hasSize(4096);
    }

    @Test
    void asyncWithoutArguments_writesThroughTheThrottle() {
        assertThat(request.startAsync().getResponse()).isSameAs(response);
    }

    /** Each client chooses how many bodies it lets wait. */
    @Test
    void memoryOfAllBodies_isBounded_andAThreadWithMoreWaits() throws IOException {
        PendingPieces.Memory memory = PendingPieces.Memory.of(8192);
        throttled(sent, BURST, memory).getOutputStream().write(new byte[BODY]);
        assertThat(BODY - sent.getContentAsByteArray().length).isLessThanOrEqualTo(8192 + 4096);
    }

    /** A waiting body would hold a thread of the server, and many bodies all threads. */
    @Test
    void bodyThatHasNotBegun_isRefusedAtOnce_whereThereIsNoRoomForIt() throws IOException {
        PendingPieces.Memory memory = PendingPieces.Memory.of(0);
        ThrottleRule rule = rule(new Rate(100, Duration.ofSeconds(1), 10_000L));
        throttled(new MockHttpServletResponse(), rule, memory).getOutputStream().write(new byte[8192]);
        ThrottledResponse next = throttled(sent, rule, memory);

        assertThatExceptionOfType(BodyThrottle.CutOffException.class)
                .isThrownBy(() -> next.getOutputStream().write(new byte[8192]));
        assertThat(next.body().answersRefusal()).isTrue();
        assertThat(sent.getHeader("Retry-After")).isEqualTo("1");
    }

    @Test
    void bodyThatFailed_leavesItsMemoryToOthers() throws IOException {
        PendingPieces.Memory memory = PendingPieces.Memory.of(BODY);
        ThrottledResponse failed = throttled(sent, STOPPED, memory);
        failed.getOutputStream().write(new byte[BODY]);
        failed.body().abandon();
        assertThat(keptOfAnother(memory)).isGreaterThan(BODY / 4);
    }

    @Test
    void bodyThatIsSentLater_leavesItsMemoryToOthers_howeverItEnds() throws IOException {
        PendingPieces.Memory memory = PendingPieces.Memory.of(BODY);
        ThrottledResponse response = throttled(new ReadsNothing(), STOPPED, memory);
        response.getOutputStream().write(new byte[BODY]);
        response.body().finish(time);
        MockAsyncContext later = (MockAsyncContext) container.getAsyncContext();
        for (AsyncListener listener : later.getListeners()) {
            listener.onError(new AsyncEvent(later));
        }
        assertThat(container.isAsyncStarted()).as("completed").isFalse();
        assertThat(keptOfAnother(memory)).isGreaterThan(BODY / 4);
    }

    private int keptOfAnother(PendingPieces.Memory memory) throws IOException {
        MockHttpServletResponse other = new MockHttpServletResponse();
        container.setAsyncStarted(false);
        throttled(other, STOPPED, memory).getOutputStream().write(new byte[BODY]);
        return BODY - other.getContentAsByteArray().length;
    }

    /** A client that has left. */
    private static final class Broken extends MockHttpServletResponse {

        private int writes;

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
                    writes++;
                    throw new IOException("Broken pipe");
                }
            };
        }
    }

    /** A client that has stopped reading. */
    private static final class ReadsNothing extends MockHttpServletResponse {

        @Override
        public ServletOutputStream getOutputStream() {
            ServletOutputStream stream = super.getOutputStream();
            return new ServletOutputStream() {
                @Override
                public boolean isReady() {
                    return false;
                }

                @Override
                public void setWriteListener(WriteListener listener) {
                    // It never becomes ready.
                }

                @Override
                public void write(int b) throws IOException {
                    stream.write(b);
                }
            };
        }
    }

    private static final class CompletesOnTimeout implements AsyncListener {

        @Override
        public void onTimeout(AsyncEvent event) {
            event.getAsyncContext().complete();
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    private record WritesAtTheEnd(ServletResponse response) implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) throws IOException {
            response.getOutputStream().write(new byte[BODY]);
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
