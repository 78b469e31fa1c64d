package dev.latchkey.benchmarks.load.process;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads answers of HTTP/1.1 off a connection, as much of them as shows where each ends. For one thread. */
public final class AnswerReader {

    private static final String LENGTH = "content-length:";
    private static final String ENCODING = "transfer-encoding:";
    private static final int LONGEST_LINE = 8_192;

    private final InputStream in;
    private final byte[] line = new byte[LONGEST_LINE];

    /** @param in buffered: it is read byte by byte */
    public AnswerReader(InputStream in) {
        this.in = in;
    }

    /**
     * The status of the next answer, when its body has been read too.
     *
     * @throws EOFException if the connection ends before the answer does
     * @throws IOException if it is no answer, or does not say how long it is
     */
    public int next() throws IOException {
        String first = readLine();
        if (!first.startsWith("HTTP/1.1 ") || first.length() < 12) {
            throw new IOException("No answer of HTTP/1.1: " + first);
        }
        int status = Integer.parseInt(first, 9, 12, 10);
        long length = -1;
        boolean chunked = false;
        for (String field = readLine(); !field.isEmpty(); field = readLine()) {
            if (isNamed(field, LENGTH)) {
                length = Long.parseLong(field.substring(LENGTH.length()).trim());
            } else if (isNamed(field, ENCODING)) {
                chunked = true;
            }
        }
        if (chunked) {
            skipChunks();
        } else if (length >= 0) {
            in.skipNBytes(length);
        } else {
            throw new IOException("An answer " + status + " that does not say how long it is");
        }
        return status;
    }

    private void skipChunks() throws IOException {
        for (long size = chunkSize(); size > 0; size = chunkSize()) {
            in.skipNBytes(size);
            readLine();
        }
        // Trailer fields, and the empty line behind them.
        while (!readLine().isEmpty()) {}
    }

    private long chunkSize() throws IOException {
        String size = readLine();
        int extension = size.indexOf(';');
        return Long.parseLong((extension < 0 ? size : size.substring(0, extension)).trim(), 16);
    }

    private static boolean isNamed(String field, String name) {
        return field.regionMatches(true, 0, name, 0, name.length());
    }

    private String readLine() throws IOException {
        int length = 0;
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The connection ended within an answer");
            }
            if (length == LONGEST_LINE) {
                throw new IOException("A line of more than " + LONGEST_LINE + " bytes");
            }
            line[length++] = (byte) next;
        }
        int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        return new String(line, 0, end, StandardCharsets.ISO_8859_1);
    }
}
