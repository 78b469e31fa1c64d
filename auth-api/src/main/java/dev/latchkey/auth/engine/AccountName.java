package dev.latchkey.auth.engine;

import dev.latchkey.auth.Subject;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Converts the spellings that a user store may accept for one account to one form.
 *
 * <p>For limits: if a store distinguishes {@code Ann} from {@code ann}, the two share their limits without harm. If a store does
 * not, each spelling would otherwise have a separate limit. Further spellings of the store are handled after the
 * account is found.
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
     * @return the form that all spellings share; empty if no character counts
     */
    public static String folded(String account) {
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

    /**
     * The names that a user store may find the account of this id under, the most general first: without accents, without width,
     * without case, and without case in Turkish, where I is the upper case of the dotless i.
     */
    static List<String> forms(String id) {
        return Stream.of(folded(id), caseless(id), lower(id), id.toLowerCase(TURKISH))
                .filter(form -> !form.equals(id) && Subject.isId(form))
                .distinct()
                .toList();
    }

    /** The id without case, width and surrounding blanks; the id itself if the form would be no id. */
    static String caseless(String id) {
        String form = lower(Normalizer.normalize(id, Normalizer.Form.NFKC).strip());
        return Subject.isId(form) ? form : id;
    }

    /** Java's {@code equalsIgnoreCase} takes the Turkish dotted I for an i. */
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
