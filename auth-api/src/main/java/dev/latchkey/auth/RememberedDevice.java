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
        // These characters need no encoding in a response body or a header field.
        if (!token.withText(text -> Factors.isPlain(text, LONGEST))) {
            throw new IllegalArgumentException(
                    "A device's token has 1 to " + LONGEST + " letters, digits, dots, underscores and hyphens");
        }
        if (lifetime.isNegative() || lifetime.isZero()) {
            throw new IllegalArgumentException("A device is remembered for a positive time, not " + lifetime);
        }
    }
}
