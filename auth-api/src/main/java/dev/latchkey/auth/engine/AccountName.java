package dev.latchkey.auth.engine;

import dev.latchkey.auth.Subject;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
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

    private static final Pattern UPPER_ASCII = Pattern.compile("[A-Z]");

    /** Format characters, the grapheme joiner and variation selectors. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cf}\\u034f\\ufe00-\\ufe0f]");

    private static final Pattern ACCENTS = Pattern.compile("\\p{M}");

    /** The differences that user stores ignore. A later removal undoes more of a name. */
    private static final List<UnaryOperator<String>> REMOVALS = List.of(
            text -> UPPER_ASCII.matcher(text).replaceAll(c -> c.group().toLowerCase(Locale.ROOT)),
            AccountName::visible,
            text -> Normalizer.normalize(text, Normalizer.Form.NFC),
            AccountName::accentless,
            text -> Normalizer.normalize(text, Normalizer.Form.NFKC),
            String::strip,
            text -> text.toLowerCase(TURKISH),
            text -> text.toLowerCase(Locale.ROOT),
            AccountName::lower);

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
     * Other names under which a user store may find the account with this id, the most general name first. A store ignores some
     * differences and keeps the others. So each combination of removals is a form. All spellings of an account then have one
     * form in common: the form without the differences that the store ignores.
     *
     * @return empty for an id of visible ASCII characters without upper case
     */
    static List<String> forms(String id) {
        List<String> forms = List.of(id);
        for (UnaryOperator<String> removal : REMOVALS) {
            List<String> kept = forms;
            forms = Stream.concat(kept.stream().map(removal), kept.stream())
                    .distinct()
                    .toList();
        }
        return Stream.concat(Stream.of(folded(id)), forms.stream())
                .filter(form -> !form.equals(id) && Subject.isId(form))
                .distinct()
                .toList();
    }

    /** The id without case, width, surrounding blanks and invisible characters; the unchanged id if this form is not a valid id. */
    static String caseless(String id) {
        String form =
                lower(Normalizer.normalize(visible(id), Normalizer.Form.NFKC).strip());
        return Subject.isId(form) ? form : id;
    }

    private static String visible(String text) {
        return INVISIBLE.matcher(text).replaceAll("");
    }

    private static String accentless(String text) {
        String letters =
                ACCENTS.matcher(Normalizer.normalize(text, Normalizer.Form.NFD)).replaceAll("");
        return Normalizer.normalize(letters, Normalizer.Form.NFC);
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
