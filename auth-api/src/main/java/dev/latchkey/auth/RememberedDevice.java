package dev.latchkey.auth;

import java.time.Duration;
import java.util.Objects;

/**
 * The token of a remembered device, whose next login needs no second step; see {@link LoginStep#remember}. Immutable;
 * prints no token.
 *
 * @param token for the next login; 1 to 512 letters, digits, dots, underscores and hyphens
 * @param lifetime of the token; positive
 */
public record RememberedDevice(Secret token, Duration lifetime) {

    private static final int LONGEST = 512;

    /**
     * Checks both values.
     *
     * @param token 1 to 512 letters, digits, dots, underscores and hyphens
     * @param lifetime positive
     * @throws IllegalArgumentException if the token has another form, or the lifetime is not positive
     */
    public RememberedDevice {
        Objects.requireNonNull(token, "token");
        if (!token.withText(RememberedDevice::isToken)) {
            throw new IllegalArgumentException(
                    "A device's token has 1 to " + LONGEST + " letters, digits, dots, underscores and hyphens");
        }
        if (lifetime.isNegative() || lifetime.isZero()) {
            throw new IllegalArgumentException("A device is remembered for a positive time, not " + lifetime);
        }
    }

    /** Characters with no need for an encoding in a response body or a header field. */
    private static boolean isToken(CharSequence text) {
        return text.length() > 0
                && text.length() <= LONGEST
                && text.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || c == '.'
                                || c == '_'
                                || c == '-');
    }
}
