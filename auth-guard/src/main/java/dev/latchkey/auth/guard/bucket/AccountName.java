package dev.latchkey.auth.guard.bucket;

import java.text.Normalizer;
import java.util.Locale;

/**
 * One form for the spellings that a store may take for one account.
 *
 * <p>A store that tells {@code Ann} from {@code ann} has them share their limits, which harms nobody; one that does not would
 * otherwise have a fresh limit for every spelling. What stores fold beyond that is caught when the account was found.
 */
final class AccountName {

    /** More than any account's name has; longer ones that begin alike share their limits, and cost no more work. */
    private static final int MOST_CHARS = 512;

    private AccountName() {}

    /** Without case, accents, compatibility forms, white space and what cannot be seen. */
    static String folded(String account) {
        String part = account.length() <= MOST_CHARS ? account : account.substring(0, MOST_CHARS);
        // Upper case first: it has no letters that are only another form of one, such as the final sigma.
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
