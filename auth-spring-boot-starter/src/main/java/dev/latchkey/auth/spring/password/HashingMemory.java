package dev.latchkey.auth.spring.password;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The memory for the check of a stored hash. An estimate for scheduling: the encoder decides whether a hash may be checked. */
public final class HashingMemory {

    private static final int LONGEST_HEAD = 128;

    /** Traditional crypt, without an id. */
    private static final int SHORTEST_HASH = 13;

    /** The memory parameter of argon2, in KiB. The head is bounded, and so is the search. */
    private static final Pattern ARGON2 = Pattern.compile("\\$argon2[a-z]{1,2}\\$(?:v=\\d{1,9}\\$)?m=(\\d{1,9})");

    /** Spring Security's scrypt: hexadecimal, log2 of N, then r and p of a byte each. */
    private static final Pattern SCRYPT = Pattern.compile("\\$([0-9a-f]{1,2})([0-9a-f]{2})[0-9a-f]{2}\\$");

    private static final Pattern PHC_SCRYPT = Pattern.compile("\\$scrypt\\$ln=(\\d{1,2}),r=(\\d{1,3})");

    private HashingMemory() {}

    /**
     * The memory for the check of a hash.
     *
     * @param storedHash of any format, with or without an id in braces
     * @return bytes; 0 for little or unknown memory
     */
    public static long of(String storedHash) {
        String head = storedHash.length() > LONGEST_HEAD ? storedHash.substring(0, LONGEST_HEAD) : storedHash;
        Matcher argon2 = ARGON2.matcher(head);
        if (argon2.find()) {
            return Long.parseLong(argon2.group(1)) * 1024;
        }
        Matcher phc = PHC_SCRYPT.matcher(head);
        if (phc.find()) {
            return scrypt(Integer.parseInt(phc.group(1)), Integer.parseInt(phc.group(2)));
        }
        Matcher scrypt = SCRYPT.matcher(head);
        return scrypt.find() && isScrypt(head, scrypt.start())
                ? scrypt(Integer.parseInt(scrypt.group(1), 16), Integer.parseInt(scrypt.group(2), 16))
                : 0;
    }

    /** Whether the value is a plain password, with a cheap comparison. */
    static boolean isNoHash(String storedHash) {
        return storedHash.startsWith("{noop}");
    }

    /** Whether the value is too short for a hash, such as {@code !} of an account without a password. */
    static boolean isPlaceholder(String storedHash) {
        return storedHash.length() < SHORTEST_HASH && !isNoHash(storedHash);
    }

    /** At the beginning, or directly after the id in braces. */
    private static boolean isScrypt(String head, int start) {
        return start == 0 || head.charAt(start - 1) == '}';
    }

    /** 128 r N bytes, RFC 7914 section 5. */
    private static long scrypt(int logN, int r) {
        return logN > 30 ? 0 : (128L * r) << logN;
    }
}
