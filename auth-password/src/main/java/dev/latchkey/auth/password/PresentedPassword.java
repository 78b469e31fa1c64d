package dev.latchkey.auth.password;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A password from a user: its UTF-8 bytes, or the rule that the password breaks.
 *
 * <p>With these rules, two different passwords are never equal, and a long password causes no extra work:
 *
 * <ul>
 *   <li>A lone surrogate has no UTF-8 form. {@code String.getBytes} writes "?" for each lone surrogate, so passwords that
 *       differ only in lone surrogates would be equal.
 *   <li>U+0000 ends a password in bcrypt and crypt(3), and HMAC pads its key with zeros (RFC 2104). Under bcrypt,
 *       PBKDF2 and scrypt, {@code "a"} and {@code "a\0"} would be the same password.
 *   <li>The limit is in bytes. The check runs before any allocation in proportion to the input.
 * </ul>
 *
 * <p>Closing wipes the bytes. Immutable until then.
 */
public final class PresentedPassword implements AutoCloseable {

    private static final int MAX_UTF_8_BYTES_PER_CHAR = 3;

    private final byte[] bytes;

    @Nullable
    private final PasswordProblem brokenRule;

    private PresentedPassword(byte[] bytes, @Nullable PasswordProblem brokenRule) {
        this.bytes = bytes;
        this.brokenRule = brokenRule;
    }

    /**
     * Reads a presented password.
     *
     * @param text from the user; null counts as empty
     * @param maxBytes the limit in bytes of UTF-8
     * @return an object that the caller closes
     */
    public static PresentedPassword of(@Nullable CharSequence text, int maxBytes) {
        if (text == null || text.length() == 0) {
            return refused("too_short", "A password must not be empty");
        }
        // Each character takes at least one byte.
        if (text.length() > maxBytes) {
            return tooLong(maxBytes);
        }
        ByteBuffer encoded = ByteBuffer.allocate(Math.min(text.length() * MAX_UTF_8_BYTES_PER_CHAR, maxBytes));
        CoderResult result = StandardCharsets.UTF_8
                .newEncoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .encode(CharBuffer.wrap(text), encoded, true);
        byte[] exact = Arrays.copyOf(encoded.array(), encoded.position());
        Arrays.fill(encoded.array(), (byte) 0);
        if (result.isOverflow()) {
            return tooLong(maxBytes);
        }
        if (result.isError()) {
            return refused("not_text", "A password must be well-formed UTF-16; this one has a lone surrogate");
        }
        if (hasNul(exact)) {
            return refused(
                    "not_text", "A password must not contain U+0000: several hashes end or pad the password there");
        }
        return new PresentedPassword(exact, null);
    }

    /**
     * Reads a presented password in the form that these encoders hash.
     *
     * @param text from the user; null counts as empty
     * @param encoders with the preparation and the limit
     * @return an object that the caller closes
     */
    public static PresentedPassword of(@Nullable CharSequence text, PasswordEncoders encoders) {
        return encoders.presented(text);
    }

    /**
     * The rule that the password breaks.
     *
     * @return empty if the password is acceptable
     */
    public Optional<PasswordProblem> problem() {
        return Optional.ofNullable(brokenRule);
    }

    /**
     * Whether the password is acceptable.
     *
     * @return whether {@link #bytes} contains the password
     */
    public boolean isAcceptable() {
        return brokenRule == null;
    }

    /**
     * The password in UTF-8.
     *
     * @return the internal array, not a copy; empty if the password breaks a rule
     */
    public byte[] bytes() {
        return bytes;
    }

    /** @throws IllegalArgumentException if the password breaks a rule; the message names the rule and no password */
    byte[] requireAcceptable() {
        if (brokenRule != null) {
            throw new IllegalArgumentException(brokenRule.message());
        }
        return bytes;
    }

    /** Wipes the bytes. */
    @Override
    public void close() {
        Arrays.fill(bytes, (byte) 0);
    }

    private static PresentedPassword tooLong(int maxBytes) {
        return refused("too_long", "A password must have at most " + maxBytes + " bytes of UTF-8");
    }

    private static PresentedPassword refused(String code, String rule) {
        return new PresentedPassword(new byte[0], new PasswordProblem(code, rule));
    }

    private static boolean hasNul(byte[] bytes) {
        for (byte b : bytes) {
            if (b == 0) {
                return true;
            }
        }
        return false;
    }
}
