package dev.latchkey.auth.password.hash;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Reads the parts of a stored hash. Never throws. Stateless. */
public final class HashText {

    /** The result of {@link #number} for a text that is not a number. */
    public static final int NOT_A_NUMBER = -1;

    private HashText() {}

    /**
     * Reads decimal digits. A number that is too large becomes the largest integer, so that a ceiling rejects the row.
     *
     * @param digits any text
     * @return {@link #NOT_A_NUMBER} for anything but digits; {@link Integer#MAX_VALUE} for all larger numbers
     */
    public static int number(String digits) {
        if (digits.isEmpty()) {
            return NOT_A_NUMBER;
        }
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c < '0' || c > '9') {
                return NOT_A_NUMBER;
            }
            value = Math.min(value * 10 + (c - '0'), Integer.MAX_VALUE);
        }
        return (int) value;
    }

    /**
     * Reads hexadecimal digits of either case.
     *
     * @param digits any text
     * @return null if the text has another form
     */
    public static byte @Nullable [] hex(String digits) {
        if (digits.length() % 2 != 0 || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            return null;
        }
        return HexFormat.of().parseHex(digits);
    }
}
