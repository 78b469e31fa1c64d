package dev.latchkey.auth.spring;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request of which a login filter may read the body twice: what is read is kept, up to a bound, and read again by the next
 * pass, before the rest.
 *
 * <p>That next pass comes by an asynchronous dispatch, and is shown as the first one, which it stands for: filters behind have
 * not seen the request yet, and rules that let asynchronous dispatches pass are not meant for it. When the pass is over the
 * wrapper is transparent, since it stays around the request in dispatches to come.
 */
final class AsyncBody extends HttpServletRequestWrapper {

    private static final int MOST_KEPT = 16 * 1024;

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream(0);
    private final byte[] again;
    private final boolean repeated;
    private boolean passing = true;
    private boolean tooLong;

    @Nullable
    private Stream stream;

    @Nullable
    private BufferedReader reader;

    private AsyncBody(HttpServletRequest request, byte[] again, boolean repeated) {
        super(request);
        this.again = again;
        this.repeated = repeated;
    }

    /** Whether there may be a body. */
    static boolean isIn(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    static AsyncBody first(HttpServletRequest request) {
        return new AsyncBody(request, new byte[0], false);
    }

    static AsyncBody again(HttpServletRequest request, byte[] read) {
        return new AsyncBody(request, read, true);
    }

    /** Whether the next pass would read the same. */
    boolean isKept() {
        return !tooLong;
    }

    /** What was read in this pass. */
    byte[] read() {
        return kept.toByteArray();
    }

    /** The pass is over. */
    void end() {
        passing = false;
    }

    /** The filter is over, and what follows reads without being recorded. */
    void stopKeeping() {
        tooLong = true;
    }

    @Override
    public DispatcherType getDispatcherType() {
        return repeated && passing ? DispatcherType.REQUEST : super.getDispatcherType();
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (stream == null) {
            if (tooLong && again.length == 0) {
                return super.getInputStream();
            }
            stream = new Stream(super.getInputStream());
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (reader == null) {
            if (tooLong && again.length == 0 && stream == null) {
                return super.getReader();
            }
            String encoding = getCharacterEncoding();
            Charset charset = encoding == null ? StandardCharsets.ISO_8859_1 : Charset.forName(encoding);
            reader = new BufferedReader(new InputStreamReader(getInputStream(), charset));
        }
        return reader;
    }

    /** First what the pass before read, then the rest. */
    private final class Stream extends ServletInputStream {

        private final ServletInputStream rest;
        private int at;

        Stream(ServletInputStream rest) {
            this.rest = rest;
        }

        @Override
        public int read() throws IOException {
            int value = at < again.length ? again[at++] & 0xFF : rest.read();
            if (value >= 0) {
                keep(new byte[] {(byte) value}, 0, 1);
            }
            return value;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count;
            if (at < again.length) {
                count = Math.min(length, again.length - at);
                System.arraycopy(again, at, buffer, offset, count);
                at += count;
            } else {
                count = rest.read(buffer, offset, length);
            }
            if (count > 0) {
                keep(buffer, offset, count);
            }
            return count;
        }

        private void keep(byte[] buffer, int offset, int length) {
            if (tooLong || kept.size() + length > MOST_KEPT) {
                tooLong = true;
                kept.reset();
            } else {
                kept.write(buffer, offset, length);
            }
        }

        @Override
        public int available() throws IOException {
            return at < again.length ? again.length - at : rest.available();
        }

        @Override
        public boolean isFinished() {
            return at >= again.length && rest.isFinished();
        }

        @Override
        public boolean isReady() {
            return at < again.length || rest.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            if (at < again.length) {
                throw new IllegalStateException(
                        "The body was read before, and what was read can only be read blocking");
            }
            rest.setReadListener(listener);
        }
    }
}
