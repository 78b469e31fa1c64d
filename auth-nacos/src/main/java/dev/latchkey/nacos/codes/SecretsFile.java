package dev.latchkey.nacos.codes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The file with a secret for each account that must show a code. Each line is {@code account secret}. The secret is in
 * Base32, the form for authenticator apps. Empty lines, and lines that start with {@code #}, are ignored.
 *
 * <p>The file is read again when its time or size changes. Safe for use by any number of threads.
 */
final class SecretsFile {

    private static final int MOST_BYTES = 1 << 20;
    private static final char BYTE_ORDER_MARK = 0xFEFF;

    /** The file cannot be read, is too large, has blank lines only, or has a wrong line; the message has no secret. */
    static final class UnreadableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnreadableException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** The secrets of one reading. */
    record Secrets(FileTime modified, long size, Map<String, byte[]> byAccount) {

        @Override
        public String toString() {
            return "Secrets[" + byAccount.size() + "]";
        }
    }

    private final Path path;
    private volatile @Nullable Secrets last;

    private SecretsFile(Path path) {
        this.path = path;
    }

    static SecretsFile at(Path path) {
        return new SecretsFile(path);
    }

    /**
     * The current secrets.
     *
     * @throws UnreadableException if the file cannot be read. An empty map instead would admit each account without a code
     */
    Secrets secrets() {
        try {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            Secrets known = last;
            if (known != null && known.modified().equals(now.lastModifiedTime()) && known.size() == now.size()) {
                return known;
            }
            if (now.size() > MOST_BYTES) {
                throw new UnreadableException("it has more than " + MOST_BYTES + " bytes", null);
            }
            List<String> lines = Files.readAllLines(path);
            if (lines.stream().allMatch(String::isBlank)) {
                // The writer may have truncated the file a moment ago, or may have written an unset variable.
                throw new UnreadableException("it has blank lines only; a file without accounts needs a comment", null);
            }
            Secrets read = new Secrets(now.lastModifiedTime(), now.size(), parse(lines));
            last = read;
            return read;
        } catch (IOException e) {
            throw new UnreadableException(e.getClass().getSimpleName(), e);
        }
    }

    private static Map<String, byte[]> parse(List<String> lines) {
        Map<String, byte[]> secrets = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.indexOf(BYTE_ORDER_MARK) >= 0) {
                throw new UnreadableException(
                        "line " + (i + 1) + " has a byte order mark (U+FEFF); save the file as UTF-8 without the mark",
                        null);
            }
            String[] parts = line.split("\\s+", -1);
            byte[] secret = parts.length == 2 ? TimedCode.secretOf(parts[1]) : null;
            if (secret == null || secrets.put(parts[0], secret) != null) {
                throw new UnreadableException(
                        "line " + (i + 1) + " is no account with a Base32 secret of 26 to 128 characters, or its"
                                + " account has a line already",
                        null);
            }
        }
        return Map.copyOf(secrets);
    }
}
