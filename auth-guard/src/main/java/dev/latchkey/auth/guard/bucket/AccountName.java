package dev.latchkey.auth.guard.bucket;

import java.text.Normalizer;
import java.util.Locale;

/**
 * Converts the spellings that a user store may accept for one account to one form.
 *
 * <p>If a store distinguishes {@code Ann} from {@code ann}, the two share their limits without harm. If a store does
 * not, each spelling would otherwise have a separate limit. Further spellings of the store are handled after the
 * account is found.
 */
final class AccountName {

    /** Longer than any account's name. Longer names with the same start share their limits, and cost no more work. */
    private static final int MOST_CHARS = 512;

    private AccountName() {}

    /** The name without case, accents, compatibility forms, white space and invisible characters. */
    static String folded(String account) {
        String part = account.length() <= MOST_CHARS ? account : account.substring(0, MOST_CHARS);
        // Upper case first: upper case has no letters that are only variants of others, such as the final sigma.
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
