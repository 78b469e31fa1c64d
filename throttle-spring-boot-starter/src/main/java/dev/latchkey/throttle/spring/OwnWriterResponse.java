package dev.latchkey.throttle.spring;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.util.function.Supplier;
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
    private Text text;

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
        // The client must learn the encoding, as with the container's own writer.
        super.setCharacterEncoding(getCharacterEncoding());
        writerAsked = true;
        if (writer == null) {
            text = new Text(stream(), this::getCharacterEncoding);
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

    /**
     * The text of a response, on its way to the stream of the response. As in a server's own writer, a reset drops the
     * characters that are not encoded yet. The end of the response sends these characters, even without a flush.
     *
     * <p>Like any writer of a response, for a single thread at a time.
     */
    private static final class Text extends Writer {

        private final OutputStream out;
        private final Supplier<String> charset;

        @Nullable
        private Writer encoder;

        /** @param charset asked at the first character, and at the first after a reset */
        Text(OutputStream out, Supplier<String> charset) {
            this.out = out;
            this.charset = charset;
        }

        @Override
        public void write(char[] text, int offset, int length) throws IOException {
            if (encoder == null) {
                encoder = new OutputStreamWriter(new Unflushed(out), Charset.forName(charset.get()));
            }
            encoder.write(text, offset, length);
        }

        /** Encodes all characters. */
        void drain() throws IOException {
            if (encoder != null) {
                encoder.flush();
            }
        }

        @Override
        public void flush() throws IOException {
            drain();
            out.flush();
        }

        /** Drops the characters that are not encoded yet. */
        void forget() {
            encoder = null;
        }

        @Override
        public void close() throws IOException {
            drain();
            out.close();
        }

        /** Does not pass a flush on: the flush of an encoder must not flush the response. */
        private static final class Unflushed extends OutputStream {

            private final OutputStream out;

            Unflushed(OutputStream out) {
                this.out = out;
            }

            @Override
            public void write(int b) throws IOException {
                out.write(b);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }
        }
    }
}
