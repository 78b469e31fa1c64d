package dev.latchkey.auth.password.migration.tool;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a file or of standard input, each with at most {@value #MAX_CHARACTERS} characters. A file without line
 * ends, such as a disk image, causes an error message instead of a full heap. A byte order mark at the start is removed.
 * For use by one thread.
 */
final class BoundedLines implements Closeable {

    static final int MAX_CHARACTERS = 1 << 20;

    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final BufferedReader in;
    private long number;

    private BoundedLines(InputStream in, CodingErrorAction atMalformedInput) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(atMalformedInput)
                .onUnmappableCharacter(atMalformedInput);
        this.in = new BufferedReader(new InputStreamReader(in, decoder));
    }

    /** For passwords, without any change: malformed UTF-8 causes a {@code CharacterCodingException}. */
    static BoundedLines strict(InputStream in) {
        return new BoundedLines(in, CodingErrorAction.REPORT);
    }

    /** For hashes: malformed UTF-8 is replaced. A hash is ASCII, and other columns may have any encoding. */
    static BoundedLines lenient(InputStream in) {
        return new BoundedLines(in, CodingErrorAction.REPLACE);
    }

    /**
     * The next line without its end, a line feed with or without a carriage return; null after the last line.
     *
     * @throws ToolInputException if the line is too long, or has a zero character, as in UTF-16 text read as UTF-8
     */
    @Nullable
    String next() throws IOException {
        int c = in.read();
        if (c < 0) {
            return null;
        }
        number++;
        StringBuilder line = new StringBuilder();
        for (; c >= 0 && c != '\n'; c = in.read()) {
            if (c == 0) {
                throw new ToolInputException("Line " + number
                        + " has a zero character: the input is UTF-16 or no text at all; UTF-8 is needed");
            }
            if (line.length() == MAX_CHARACTERS) {
                throw new ToolInputException("Line " + number + " has more than " + MAX_CHARACTERS
                        + " characters; is this a file of lines?");
            }
            line.append((char) c);
        }
        return trimmed(line);
    }

    private String trimmed(StringBuilder line) {
        if (number == 1 && line.length() > 0 && line.charAt(0) == BYTE_ORDER_MARK) {
            line.deleteCharAt(0);
        }
        int last = line.length() - 1;
        if (last >= 0 && line.charAt(last) == '\r') {
            line.setLength(last);
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
