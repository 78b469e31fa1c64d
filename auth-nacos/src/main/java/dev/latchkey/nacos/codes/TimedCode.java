package dev.latchkey.nacos.codes;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Codes of six digits that change every 30 seconds (RFC 6238), as authenticator apps compute them with HMAC-SHA-1. */
final class TimedCode {

    static final int DIGITS = 6;

    private static final int SECONDS = 30;
    private static final int MODULUS = 1_000_000;
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    /** RFC 4226 section 4: at least 128 bits. */
    private static final int LEAST_CHARACTERS = 26;

    private static final int MOST_CHARACTERS = 128;

    private TimedCode() {}

    /** The number of the period at this time. */
    static long periodAt(Instant time) {
        return Math.floorDiv(time.getEpochSecond(), SECONDS);
    }

    /** The code in this period. */
    static String at(byte[] secret, long period) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(secret, "HmacSHA1"));
            byte[] hash =
                    mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(period).array());
            // RFC 4226 section 5.3: the last four bits are the offset of the number.
            int number = ByteBuffer.wrap(hash).getInt(hash[hash.length - 1] & 0xF) & Integer.MAX_VALUE;
            return String.format(Locale.ROOT, "%0" + DIGITS + "d", number % MODULUS);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA1", e);
        }
    }

    /** The secret in this Base32 text (RFC 4648 section 6), in either case; null for another text. */
    static byte @Nullable [] secretOf(String base32) {
        String text = base32.toUpperCase(Locale.ROOT).replaceAll("=+$", "");
        if (text.length() < LEAST_CHARACTERS || text.length() > MOST_CHARACTERS) {
            return null;
        }
        byte[] secret = new byte[text.length() * 5 / 8];
        long bits = 0;
        int count = 0;
        int next = 0;
        for (int i = 0; i < text.length(); i++) {
            int value = ALPHABET.indexOf(text.charAt(i));
            if (value < 0) {
                return null;
            }
            bits = (bits << 5 | value) & 0xFFF;
            count += 5;
            if (count >= 8) {
                count -= 8;
                secret[next++] = (byte) (bits >> count);
            }
        }
        return secret;
    }
}
