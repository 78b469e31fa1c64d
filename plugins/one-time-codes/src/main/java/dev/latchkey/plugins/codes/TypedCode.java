package dev.latchkey.plugins.codes;

import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;

/**
 * A code as typed by the user, without separators: the code of an app, or a recovery code.
 *
 * <p>A recovery code has 80 random bits. Guesses are hopeless even with a fast digest, so a slow digest would only
 * delay the login.
 */
record TypedCode(boolean isRecovery, String text) {

    private static final int RECOVERY_BYTES = 10;
    private static final int RECOVERY_LENGTH = RECOVERY_BYTES * Byte.SIZE / Base32.BITS;
    private static final int GROUP = 4;
    private static final int MOST_TYPED = 64;

    /** Empty for text in neither form. */
    static Optional<TypedCode> of(CharSequence typed) {
        if (typed.length() > MOST_TYPED) {
            return Optional.empty();
        }
        String text = typed.toString().replaceAll("[\\s-]", "");
        if (text.length() == CodeSecret.DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.of(new TypedCode(false, text));
        }
        String likely = text.toUpperCase(Locale.ROOT)
                .replace('O', '0')
                .replace('I', '1')
                .replace('L', '1');
        return likely.length() == RECOVERY_LENGTH && likely.chars().allMatch(Base32.CROCKFORD::has)
                ? Optional.of(new TypedCode(true, likely))
                : Optional.empty();
    }

    static TypedCode randomRecovery(SecureRandom random) {
        byte[] bytes = new byte[RECOVERY_BYTES];
        random.nextBytes(bytes);
        return new TypedCode(true, Base32.CROCKFORD.encode(bytes));
    }

    /** In groups, for the user. */
    String shown() {
        return text.replaceAll("(.{" + GROUP + "})(?!$)", "$1-");
    }

    @Override
    public String toString() {
        return "TypedCode[****]";
    }
}
