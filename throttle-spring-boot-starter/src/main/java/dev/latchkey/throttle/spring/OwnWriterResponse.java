package dev.latchkey.throttle.spring;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A response with a stream of its own, and a writer for this stream. The container does not know of the writer, so this
 * class keeps the rules for writers: a service chooses between stream and writer, and a writer's encoding no longer changes.
 */
abstract sealed class OwnWriterResponse extends HttpServletResponseWrapper permits ThrottledResponse {

    private static final String CONTENT_TYPE = "Content-Type";
    private static final Pattern CHARSET = Pattern.compile(";\\s*charset=[^;]*", Pattern.CASE_INSENSITIVE);

    @Nullable
    private ThrottledWriter text;

    @Nullable
    private PrintWriter writer;

    private boolean writerAsked;
    private boolean streamAsked;

    OwnWriterResponse(HttpServletResponse response) {
        super(response);
    }

    /** The same stream at each call. */
    abstract ServletOutputStream stream() throws IOException;

    /** Drops the text that was written so far. */
    void forget() {
        if (text != null) {
            text.forget();
        }
    }

    /**
     * The service may choose again between stream and writer, after a reset and in a forward. Responses in front may keep
     * the writer, so the writer stays the same.
     */
    final void beginAnew() {
        forget();
        writerAsked = false;
        streamAsked = false;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (writerAsked) {
            throw new IllegalStateException("getWriter() was called for this response");
        }
        streamAsked = true;
        return stream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (streamAsked) {
            throw new IllegalStateException("getOutputStream() was called for this response");
        }
        // Like the container's own writer, so the client learns the encoding.
        super.setCharacterEncoding(getCharacterEncoding());
        writerAsked = true;
        if (writer == null) {
            text = new ThrottledWriter(stream(), this::getCharacterEncoding);
            writer = new PrintWriter(text);
        }
        return writer;
    }

    @Override
    public void setCharacterEncoding(String encoding) {
        if (!writerAsked) {
            super.setCharacterEncoding(encoding);
        }
    }

    @Override
    public void setContentType(@Nullable String type) {
        boolean hasEncoding = writerAsked && type != null;
        super.setContentType(
                hasEncoding ? CHARSET.matcher(type).replaceAll("") + ";charset=" + getCharacterEncoding() : type);
    }

    @Override
    public void setHeader(String name, String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
        } else {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
        } else {
            super.addHeader(name, value);
        }
    }

    /** Encodes the text that was written so far. */
    final void drain() throws IOException {
        if (text != null) {
            text.drain();
        }
    }
}
