package dev.latchkey.throttle.spring;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The text of a response, on its way to the stream of the response. As in a server's own writer, a reset drops the
 * characters that are not encoded yet, and the end of the response sends them without a flush.
 *
 * <p>Like any writer of a response, for a single thread at a time.
 */
final class ThrottledWriter extends Writer {

    private final OutputStream out;
    private final Supplier<String> charset;

    @Nullable
    private Writer encoder;

    /** @param charset asked at the first character, and at the first after a reset */
    ThrottledWriter(OutputStream out, Supplier<String> charset) {
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

    /** An encoder's flush is for its own characters alone. */
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
