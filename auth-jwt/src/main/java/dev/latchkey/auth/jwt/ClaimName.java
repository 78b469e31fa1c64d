package dev.latchkey.auth.jwt;

import java.util.Locale;

/**
 * The claims registered by RFC 7519 section 4.1. Each name has three letters, so a name with quotes and colon fits into
 * a long.
 */
enum ClaimName {
    ISS,
    SUB,
    AUD,
    EXP,
    NBF,
    IAT,
    JTI;

    static final int QUOTED_LENGTH = 6;

    /** {@code "sub":} in ASCII, the first character in the highest place. */
    final long quoted;

    ClaimName() {
        String text = '"' + name().toLowerCase(Locale.ROOT) + "\":";
        long bits = 0;
        for (int i = 0; i < QUOTED_LENGTH; i++) {
            bits = bits << Byte.SIZE | text.charAt(i);
        }
        this.quoted = bits << (Long.SIZE - QUOTED_LENGTH * Byte.SIZE);
    }
}
