package dev.latchkey.auth.password.hash;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Reads the pieces of a stored hash: never throws, whatever they hold. */
public final class HashText {

    public static final int NOT_A_NUMBER = -1;

    private HashText() {}

    /**
     * The number in these decimal digits; {@link #NOT_A_NUMBER} for anything else, and {@link Integer#MAX_VALUE} for all that
     * are larger, so that a ceiling refuses them.
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

    /** The bytes in these hexadecimal digits of either case, or null. */
    public static byte @Nullable [] hex(String digits) {
        if (digits.length() % 2 != 0 || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            return null;
        }
        return HexFormat.of().parseHex(digits);
    }
}
