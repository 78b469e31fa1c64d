package dev.latchkey.plugins.apikeys;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The form of keys: {@code <prefix><id>_<secret><checksum>}, with 12, 43 and 6 letters and digits after the prefix.
 *
 * <p>The public id finds the row. The secret has 43 random characters out of 62: 256 bits. The checksum is the CRC-32
 * of all characters before. A typing error therefore costs no look-up, and a secret scanner can tell keys from similar
 * texts. The checksum protects from accidents, not from attackers. No character of a key ends a word, so a double click
 * selects the whole key. Immutable.
 */
final class KeyFormat {

    static final int ID_LENGTH = 12;
    static final int SECRET_LENGTH = 43;
    static final int LONGEST_PREFIX = 20;

    private static final int CHECKSUM_LENGTH = 6;
    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9_]{0," + (LONGEST_PREFIX - 2) + "}_");

    private final String prefix;
    private final byte[] prefixBytes;
    private final int length;

    private KeyFormat(String prefix) {
        this.prefix = prefix;
        this.prefixBytes = prefix.getBytes(StandardCharsets.US_ASCII);
        this.length = prefix.length() + ID_LENGTH + 1 + SECRET_LENGTH + CHECKSUM_LENGTH;
    }

    /** @throws IllegalArgumentException if the prefix has another form */
    static KeyFormat withPrefix(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "A prefix of keys is a lower-case letter, then lower-case letters, digits and"
                            + " underscores, with an underscore at its end, and has 2 to " + LONGEST_PREFIX
                            + " characters");
        }
        return new KeyFormat(prefix);
    }

    /** The pattern of keys with this prefix, for searches in a text. */
    Pattern pattern() {
        return Pattern.compile("\\b" + prefix + "[0-9A-Za-z]{" + ID_LENGTH + "}_[0-9A-Za-z]{"
                + (SECRET_LENGTH + CHECKSUM_LENGTH) + "}\\b");
    }

    String randomId(SecureRandom random) {
        return randomText(ID_LENGTH, random);
    }

    /** A new key with this id. */
    String randomKey(String id, SecureRandom random) {
        String body = prefix + id + "_" + randomText(SECRET_LENGTH, random);
        return body + checksumOf(body.getBytes(StandardCharsets.US_ASCII), body.length());
    }

    private static String randomText(int length, SecureRandom random) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    boolean begins(CharSequence text) {
        return text.length() >= prefix.length()
                && CharSequence.compare(text.subSequence(0, prefix.length()), prefix) == 0;
    }

    /** Whether a text has the form of a key. The key may still be unknown. */
    boolean isWellFormed(byte[] text) {
        if (text.length != length
                || text[prefix.length() + ID_LENGTH] != '_'
                || !Arrays.equals(text, 0, prefixBytes.length, prefixBytes, 0, prefixBytes.length)) {
            return false;
        }
        for (int i = prefixBytes.length; i < length; i++) {
            if (!isLetterOrDigit(text[i]) && i != prefixBytes.length + ID_LENGTH) {
                return false;
            }
        }
        int end = length - CHECKSUM_LENGTH;
        return checksumOf(text, end).equals(new String(text, end, CHECKSUM_LENGTH, StandardCharsets.US_ASCII));
    }

    private static boolean isLetterOrDigit(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    /** Whether a key may have this id. A database may be unable to compare other texts. */
    static boolean isId(String text) {
        return text.length() == ID_LENGTH && text.chars().allMatch(KeyFormat::isLetterOrDigit);
    }

    /** The id in a well-formed text. */
    String idOf(byte[] text) {
        return new String(text, prefixBytes.length, ID_LENGTH, StandardCharsets.US_ASCII);
    }

    /** The index of the secret in a well-formed text. */
    int secretAt() {
        return prefixBytes.length + ID_LENGTH + 1;
    }

    /** Of the first characters of a text. */
    private static String checksumOf(byte[] text, int count) {
        CRC32 crc = new CRC32();
        crc.update(text, 0, count);
        long left = crc.getValue();
        StringBuilder digits = new StringBuilder(CHECKSUM_LENGTH);
        for (int i = 0; i < CHECKSUM_LENGTH; i++) {
            digits.append(ALPHABET.charAt((int) (left % ALPHABET.length())));
            left /= ALPHABET.length();
        }
        return digits.reverse().toString();
    }
}
