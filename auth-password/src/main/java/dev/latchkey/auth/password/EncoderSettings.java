package dev.latchkey.auth.password;

import dev.latchkey.auth.password.format.DangerousFormat;
import dev.latchkey.auth.password.format.HashFormats;
import dev.latchkey.auth.password.hash.MemoryPermits;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the {@code with} methods of {@link PasswordEncoders} change.
 *
 * @param maxPasswordBytes the longest password that is hashed, whatever the algorithm takes
 * @param dangerous the formats that are read because they were asked for
 */
record EncoderSettings(
        MemoryPermits permits,
        int maxPasswordBytes,
        @Nullable Pepper pepper,
        Set<DangerousFormat> dangerous,
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
        return new EncoderSettings(
                permits,
                DEFAULT_MAX_PASSWORD_BYTES,
                null,
                EnumSet.noneOf(DangerousFormat.class),
                library,
                Preparation.NONE);
    }

    EncoderSettings with(MemoryPermits other) {
        return new EncoderSettings(other, maxPasswordBytes, pepper, dangerous, library, preparation);
    }

    EncoderSettings withMaxPasswordBytes(int bytes) {
        if (bytes < LEAST_MAX_PASSWORD_BYTES || bytes > GREATEST_MAX_PASSWORD_BYTES) {
            throw new IllegalArgumentException("The longest password is between " + LEAST_MAX_PASSWORD_BYTES + " and "
                    + GREATEST_MAX_PASSWORD_BYTES + " bytes, got " + bytes);
        }
        return new EncoderSettings(permits, bytes, pepper, dangerous, library, preparation);
    }

    EncoderSettings with(Pepper other) {
        return new EncoderSettings(permits, maxPasswordBytes, other, dangerous, library, preparation);
    }

    EncoderSettings with(Preparation other) {
        return new EncoderSettings(permits, maxPasswordBytes, pepper, dangerous, library, other);
    }

    EncoderSettings reading(DangerousFormat format) {
        EnumSet<DangerousFormat> more = EnumSet.of(format);
        more.addAll(dangerous);
        return new EncoderSettings(permits, maxPasswordBytes, pepper, more, library, preparation);
    }

    HashFormats formats() {
        return library == Library.BOUNCY_CASTLE
                ? new HashFormats(permits, dangerous)
                : HashFormats.withoutBouncyCastle(dangerous);
    }

    /** The text that is hashed. What is too long for any password is returned as it is. */
    @Nullable
    CharSequence prepared(@Nullable CharSequence password) {
        return password == null || preparation == Preparation.NONE || password.length() > maxPasswordBytes
                ? password
                : OpaqueString.of(password);
    }
}
