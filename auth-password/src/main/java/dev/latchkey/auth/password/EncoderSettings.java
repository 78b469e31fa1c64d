package dev.latchkey.auth.password;

import dev.latchkey.auth.password.hash.FurtherFormats;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.hash.ParsedHash;
import org.jspecify.annotations.Nullable;

/**
 * What the {@code with} methods of {@link PasswordEncoders} change.
 *
 * @param maxPasswordBytes the longest password that is hashed, whatever the algorithm takes
 * @param further the formats that are read besides; null for none
 */
record EncoderSettings(
        MemoryPermits permits,
        int maxPasswordBytes,
        @Nullable Pepper pepper,
        @Nullable FurtherFormats further,
        Library library,
        Preparation preparation) {

    private static final int DEFAULT_MAX_PASSWORD_BYTES = 1024;
    private static final int LEAST_MAX_PASSWORD_BYTES = 64;
    private static final int GREATEST_MAX_PASSWORD_BYTES = 4096;

    /** Whether argon2 and scrypt can be read. */
    enum Library {
        BOUNCY_CASTLE,
        JDK_ALONE
    }

    /** What is done to the text of a password before it is hashed. */
    enum Preparation {
        NONE,
        OPAQUE_STRING
    }

    static EncoderSettings of(Library library, MemoryPermits permits) {
        return new EncoderSettings(permits, DEFAULT_MAX_PASSWORD_BYTES, null, null, library, Preparation.NONE);
    }

    EncoderSettings with(MemoryPermits other) {
        return new EncoderSettings(other, maxPasswordBytes, pepper, further, library, preparation);
    }

    EncoderSettings withMaxPasswordBytes(int bytes) {
        if (bytes < LEAST_MAX_PASSWORD_BYTES || bytes > GREATEST_MAX_PASSWORD_BYTES) {
            throw new IllegalArgumentException("The longest password is between " + LEAST_MAX_PASSWORD_BYTES + " and "
                    + GREATEST_MAX_PASSWORD_BYTES + " bytes, got " + bytes);
        }
        return new EncoderSettings(permits, bytes, pepper, further, library, preparation);
    }

    EncoderSettings with(Pepper other) {
        return new EncoderSettings(permits, maxPasswordBytes, other, further, library, preparation);
    }

    EncoderSettings with(Preparation other) {
        return new EncoderSettings(permits, maxPasswordBytes, pepper, further, library, other);
    }

    EncoderSettings reading(FurtherFormats formats) {
        return new EncoderSettings(permits, maxPasswordBytes, pepper, formats, library, preparation);
    }

    /** Those of the algorithms that are written, then the further ones. */
    HashFormat formats() {
        MemoryPermits available = library == Library.BOUNCY_CASTLE ? permits : null;
        HashFormat own = OwnFormats.within(available);
        if (further == null) {
            return own;
        }
        HashFormat others = further.besides(own, available);
        return text -> {
            ParsedHash parsed = own.read(text);
            return parsed == null ? others.read(text) : parsed;
        };
    }

    /** The text that is hashed. What is too long for any password is returned as it is. */
    @Nullable
    CharSequence prepared(@Nullable CharSequence password) {
        return password == null || preparation == Preparation.NONE || password.length() > maxPasswordBytes
                ? password
                : OpaqueString.of(password);
    }
}
