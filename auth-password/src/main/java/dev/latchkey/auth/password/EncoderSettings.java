package dev.latchkey.auth.password;

import dev.latchkey.auth.password.hash.FurtherFormats;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.hash.ParsedHash;
import org.jspecify.annotations.Nullable;

/**
 * The settings behind the {@code with} methods of {@link PasswordEncoders}.
 *
 * @param maxPasswordBytes the longest hashed password for any algorithm
 * @param further the additional formats for reading; null for none
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

    /** The change of a password's text before hashing. */
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

    /** The formats of the algorithms for new hashes, then the additional formats. */
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

    /** The text for hashing. A text that is too long for any password stays unchanged. */
    @Nullable
    CharSequence prepared(@Nullable CharSequence password) {
        return password == null || preparation == Preparation.NONE || password.length() > maxPasswordBytes
                ? password
                : OpaqueString.of(password);
    }
}
