package dev.latchkey.auth.engine;

import dev.latchkey.auth.Subject;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

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

    private static final Locale TURKISH = Locale.forLanguageTag("tr");

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

    /**
     * Other names under which a user store may find the account with this id, the most general name first. The forms
     * are: without accents, without width, without case, and without case in Turkish. In Turkish, I is the upper case
     * of the dotless i.
     */
    static List<String> forms(String id) {
        return Stream.of(folded(id), caseless(id), lower(id), id.toLowerCase(TURKISH))
                .filter(form -> !form.equals(id) && Subject.isId(form))
                .distinct()
                .toList();
    }

    /** The id without case, width and surrounding blanks; the unchanged id if this form is not a valid id. */
    static String caseless(String id) {
        String form = lower(Normalizer.normalize(id, Normalizer.Form.NFKC).strip());
        return Subject.isId(form) ? form : id;
    }

    /** The lower case. The Turkish dotted I becomes i, as in Java's {@code equalsIgnoreCase}. */
    private static String lower(String text) {
        return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT).replace("i\u0307", "i");
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
