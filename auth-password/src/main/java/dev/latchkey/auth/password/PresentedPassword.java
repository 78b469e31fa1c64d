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
 * A password as somebody typed or sent it: its UTF-8 bytes, or the rule that it breaks.
 *
 * <p>The rules exist so that no two different passwords are ever equal, and so that a long password buys no work:
 *
 * <ul>
 *   <li>A lone surrogate has no UTF-8 form. {@code String.getBytes} writes "?" for each, so that all such passwords of one length would be the same
 *       one.
 *   <li>U+0000 ends a password in bcrypt and crypt(3), and HMAC pads its key with zeros (RFC 2104), so under bcrypt, PBKDF2 and scrypt {@code "a"}
 *       and {@code "a\0"} are the same password.
 *   <li>The limit is in bytes, and is found before anything is allocated in proportion to what was sent.
 * </ul>
 *
 * <p>Its bytes are wiped when it is closed. Immutable until then.
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
     * A password as it came.
     *
     * @param text as somebody sent it; null as for an empty one
     * @param maxBytes of UTF-8 that it may have
     * @return to be closed
     */
    public static PresentedPassword of(@Nullable CharSequence text, int maxBytes) {
        if (text == null || text.length() == 0) {
            return refused("too_short", "A password must not be empty");
        }
        // A character is at least one byte.
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
     * The password that these encoders would hash.
     *
     * @param text as somebody sent it; null as for an empty one
     * @param encoders whose preparation and bound apply
     * @return to be closed
     */
    public static PresentedPassword of(@Nullable CharSequence text, PasswordEncoders encoders) {
        return encoders.presented(text);
    }

    /**
     * The rule that the password breaks.
     *
     * @return empty if it breaks none
     */
    public Optional<PasswordProblem> problem() {
        return Optional.ofNullable(brokenRule);
    }

    /**
     * Whether the password breaks no rule.
     *
     * @return whether {@link #bytes} has it
     */
    public boolean isAcceptable() {
        return brokenRule == null;
    }

    /**
     * The password in UTF-8.
     *
     * @return the bytes themselves, not a copy; empty if it breaks a rule
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
