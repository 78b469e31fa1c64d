package dev.latchkey.examples.apikey;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The keys of a single reading of the file: digests of keys, and their subjects. Immutable.
 *
 * <p>A line has the id of a subject, the SHA-256 of the key in hexadecimal, and optional authorities with commas between them.
 * Blanks and tabs separate the fields. Empty lines and lines with {@code #} at their start are skipped. A subject may have
 * several keys, so an operator can replace a key without an interruption. A key stands in one line only.
 */
final class ApiKeys {

    private static final Pattern BLANKS = Pattern.compile("[ \t]+");
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Pattern AUTHORITY = Pattern.compile("[!-+\\--~]{1,100}");

    private static final class Entry {

        private final byte[] digest;
        private final Subject subject;

        Entry(byte[] digest, Subject subject) {
            this.digest = digest;
            this.subject = subject;
        }
    }

    private final List<Entry> entries;

    private ApiKeys(List<Entry> entries) {
        this.entries = entries;
    }

    /**
     * Reads these lines.
     *
     * @throws MalformedKeysException at the first wrong line; the message has the number of the line and none of its content
     */
    static ApiKeys parse(List<String> lines) throws MalformedKeysException {
        List<Entry> entries = new ArrayList<>();
        Set<String> digests = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            Entry entry = entry(line, i + 1);
            if (!digests.add(HexFormat.of().formatHex(entry.digest))) {
                throw new MalformedKeysException(i + 1, "the key stands in an earlier line already");
            }
            entries.add(entry);
        }
        return new ApiKeys(List.copyOf(entries));
    }

    /**
     * The subject of this key.
     *
     * <p>Every entry is compared, each in constant time. The time therefore reveals neither the right part of a digest nor the
     * position in the file.
     */
    Optional<Subject> subjectOf(Secret key) {
        byte[] presented = key.withBytes(ApiKeys::sha256);
        Subject found = null;
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(entry.digest, presented)) {
                found = entry.subject;
            }
        }
        return Optional.ofNullable(found);
    }

    int size() {
        return entries.size();
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static Entry entry(String line, int number) throws MalformedKeysException {
        String[] fields = BLANKS.split(line, 4);
        if (fields.length < 2 || fields.length > 3) {
            throw new MalformedKeysException(number, "expected: subject-id sha256-hex-of-key authority,authority");
        }
        if (!DIGEST.matcher(fields[1]).matches()) {
            throw new MalformedKeysException(
                    number, "the second field must be the key's SHA-256, 64 hexadecimal digits; never the key itself");
        }
        try {
            Subject subject = new Subject(fields[0], fields.length == 3 ? authorities(fields[2], number) : Set.of());
            return new Entry(HexFormat.of().parseHex(fields[1]), subject);
        } catch (IllegalArgumentException e) {
            throw new MalformedKeysException(number, "the first field is no subject's id: 1 to 255 characters");
        }
    }

    private static Set<String> authorities(String field, int number) throws MalformedKeysException {
        List<String> all = List.of(COMMA.split(field, -1));
        Set<String> authorities = new HashSet<>(all);
        if (authorities.size() < all.size()
                || !authorities.stream().allMatch(one -> AUTHORITY.matcher(one).matches())) {
            throw new MalformedKeysException(
                    number, "the third field must be different authorities, separated by single commas");
        }
        return authorities;
    }

    /** Prints the number of keys, and neither subjects nor digests. */
    @Override
    public String toString() {
        return "ApiKeys[" + entries.size() + "]";
    }
}
