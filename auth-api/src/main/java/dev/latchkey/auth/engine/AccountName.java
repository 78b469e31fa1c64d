package dev.latchkey.auth.engine;

import java.text.Normalizer;
import java.util.Locale;

/**
 * Converts the spellings that a user store may accept for one account to one form.
 *
 * <p>Login limits use this form. If a store distinguishes {@code Ann} from {@code ann}, the two accounts share their
 * limits, without harm. If a store does not distinguish spellings, each spelling would otherwise have a separate limit.
 * Other spellings that the store accepts are handled after the account is found.
 */
public final class AccountName {

    /** Longer than any account's name. Longer names with the same start share their limits, and cost no more work. */
    private static final int MOST_CHARS = 512;

    private AccountName() {}

    /**
     * The name without case, accents, compatibility forms, white space and invisible characters.
     *
     * @param account any text
     * @return the common form of all spellings; empty if no character remains
     */
    public static String folded(String account) {
        String part = account.length() <= MOST_CHARS ? account : account.substring(0, MOST_CHARS);
        // Upper case first: upper case has no variants of a letter, such as the final sigma.
        String folded = part.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
        if (isPlain(folded)) {
            return folded;
        }
        StringBuilder letters = new StringBuilder(folded.length());
        Normalizer.normalize(part, Normalizer.Form.NFKD)
                .toUpperCase(Locale.ROOT)
                .toLowerCase(Locale.ROOT)
                .codePoints()
                .filter(AccountName::counts)
                .forEach(letters::appendCodePoint);
        return letters.toString();
    }

    private static boolean isPlain(String text) {
        return text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    private static boolean counts(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.FORMAT,
                    Character.CONTROL,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
