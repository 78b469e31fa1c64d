package dev.latchkey.auth.password.hash;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Reads the pieces of a stored hash. Never throws, whatever they hold. Stateless. */
public final class HashText {

    /** The answer of {@link #number} to what is no number. */
    public static final int NOT_A_NUMBER = -1;

    private HashText() {}

    /**
     * The number in these decimal digits. One that is too large is the largest there is, so that a ceiling refuses it.
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
     * The bytes in these hexadecimal digits of either case.
     *
     * @param digits any text
     * @return null if it is anything else
     */
    public static byte @Nullable [] hex(String digits) {
        if (digits.length() % 2 != 0 || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            return null;
        }
        return HexFormat.of().parseHex(digits);
    }
}
