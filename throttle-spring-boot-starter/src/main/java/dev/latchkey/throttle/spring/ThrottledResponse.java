package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.util.WebUtils;

/**
 * A response whose body flows at the rate of a throttle.
 *
 * <p>The service writes as ever. What exceeds the rate is kept, up to a bound, until the service has finished; then the
 * thread goes, and the rest is sent without one, by {@link AsyncBodyWriter}.
 */
final class ThrottledResponse extends HttpServletResponseWrapper {

    private static final Logger LOG = LoggerFactory.getLogger(ThrottledResponse.class);

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final BodyThrottle throttle;
    private final PendingPieces.Memory memory;

    @Nullable
    private ThrottledOutput output;

    @Nullable
    private PrintWriter writer;

    private boolean streamAsked;

    ThrottledResponse(
            HttpServletRequest request,
            HttpServletResponse response,
            BodyThrottle throttle,
            PendingPieces.Memory memory) {
        super(response);
        this.request = request;
        this.response = response;
        this.throttle = throttle;
        this.memory = memory;
    }

    private ThrottledOutput output() throws IOException {
        if (output == null) {
            output = new ThrottledOutput(
                    response.getOutputStream(), throttle, request::isAsyncStarted, response::getBufferSize, memory);
        }
        return output;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (writer != null) {
            throw new IllegalStateException("getWriter() was called for this response");
        }
        streamAsked = true;
        return output();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (streamAsked) {
            throw new IllegalStateException("getOutputStream() was called for this response");
        }
        if (writer == null) {
            String charset = getCharacterEncoding();
            // As the container's own writer does, so that the client learns which encoding was used.
            setCharacterEncoding(charset);
            writer = new PrintWriter(new OutputStreamWriter(output(), Charset.forName(charset)));
        }
        return writer;
    }

    @Override
    public void flushBuffer() throws IOException {
        if (writer != null) {
            writer.flush();
        }
        if (output == null) {
            super.flushBuffer();
        } else {
            output.flush();
        }
    }

    @Override
    public void reset() {
        super.reset();
        forget();
        writer = null;
        streamAsked = false;
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        forget();
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        super.sendError(status, message);
        forget();
    }

    @Override
    public void sendError(int status) throws IOException {
        super.sendError(status);
        forget();
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        super.sendRedirect(location);
        forget();
    }

    /** The service failed: nothing of what it wrote is to be sent any more. What goes on asynchronously keeps nothing. */
    void abandon() {
        if (output != null && !request.isAsyncStarted()) {
            output.abandon();
        }
    }

    private void forget() {
        if (output != null) {
            output.forget();
        }
    }

    /**
     * The service has returned: sends what is left, now if it may, without a thread if it has to wait.
     *
     * <p>Nothing is done for a service that goes on asynchronously: another thread may be writing already.
     *
     * @throws BodyCutOffException if the body was refused when some of it had been sent, so that the client sees it end early
     */
    void finish(GuardTime time) throws IOException {
        if (request.isAsyncStarted()) {
            return;
        }
        if (writer != null) {
            writer.flush();
        }
        if (output == null || answersRefusal()) {
            return;
        }
        output.offerRest();
        if (!output.isHolding()) {
            return;
        }
        if (request.isAsyncSupported()) {
            output.sendAllLater(request.startAsync(request, response), time);
        } else {
            output.sendAllWaiting();
        }
    }

    /** The service is about to go on asynchronously: what was kept until it returns is sent first. */
    void beforeAsync() {
        if (output != null && output.isHolding()) {
            try {
                output.sendAllWaiting();
            } catch (IOException e) {
                LOG.debug("A throttled body ended early; the service will find that its stream fails", e);
                output.forget();
            }
        }
    }

    /**
     * The service has written all it will, asynchronously: sends what is left with the calling thread, and completes. A body
     * that was refused does not get a proper end, from which the client would think it whole.
     */
    void completeAsync(AsyncContext async) {
        try {
            if (writer != null) {
                writer.flush();
            }
            if (output != null) {
                output.offerRest();
            }
        } catch (IOException e) {
            LOG.debug("The end of a throttled body could not be sent", e);
        }
        Optional<ThrottleRefusal> refusal = output == null ? Optional.empty() : output.refusal();
        if (refusal.isPresent()) {
            AsyncBodyWriter.cutOff(async, refusal.get());
        } else {
            async.complete();
        }
    }

    /** The container's response, without its throttle. */
    static HttpServletResponse unwrap(HttpServletResponse response) {
        ThrottledResponse throttled = WebUtils.getNativeResponse(response, ThrottledResponse.class);
        return throttled == null ? response : throttled.response;
    }

    /** Whether the throttle refused the body and nothing of it was sent: then the refusal is the response. */
    boolean answersRefusal() throws IOException {
        Optional<ThrottleRefusal> refusal = output == null ? Optional.empty() : output.refusal();
        if (refusal.isEmpty() || response.isCommitted()) {
            return false;
        }
        response.reset();
        refusal.get().writeTo(response);
        return true;
    }
}
