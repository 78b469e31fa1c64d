package dev.latchkey.plugins.codes;

import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;

/**
 * What somebody typed, without what people put between: the code of an app, or a recovery code.
 *
 * <p>A recovery code has 80 random bits. To guess it is hopeless with a fast digest too, so a slow one would only make the login slow.
 */
record TypedCode(boolean isRecovery, String text) {

    private static final int RECOVERY_BYTES = 10;
    private static final int RECOVERY_LENGTH = RECOVERY_BYTES * Byte.SIZE / Base32.BITS;
    private static final int GROUP = 4;
    private static final int MOST_TYPED = 64;

    /** Empty where it has the form of neither. */
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

    /** In groups, as it is shown. */
    String shown() {
        return text.replaceAll("(.{" + GROUP + "})(?!$)", "$1-");
    }

    @Override
    public String toString() {
        return "TypedCode[****]";
    }
}
