package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The check that a source answers with one id for each account ({@link DecidedLogins#requireOneName}). The source looks the
 * account up by other spellings of its id. One spelling is enough for each kind of difference: a source that ignores the kind
 * finds the account by this spelling too.
 */
record OneName(Roles roles, SubjectNames names, PluginCalls calls) {

    private static final Secret NO_STAMP = Secret.of("");

    /** From an ASCII character to the same character in full width. */
    private static final int WIDE = '\uff01' - '!';

    void require(String subjectId) {
        for (LoginSource<?> source : roles.sources()) {
            if (!SubjectNames.isRegistered(source) && !names.isForeignTo(source, subjectId)) {
                names.inPlugin(source.name(), subjectId).ifPresent(id -> require(source, id));
            }
        }
    }

    private void require(LoginSource<?> source, String id) {
        Authenticated account = active(source, id);
        if (account == null) {
            return;
        }
        if (!idOf(account).equals(id)) {
            throw new AuthPluginException(source.name(), "has the account under another id. Use this id");
        }
        for (String spelling : spellings(id)) {
            Authenticated found = activeBySpelling(source, spelling, id);
            if (found != null && idOf(found).equals(spelling) && hasOneStamp(account, found)) {
                throw new AuthPluginException(
                        source.name(),
                        "finds an account under several spellings of its name, and answers with the typed name."
                                + " Answer with the stored name for each spelling");
            }
        }
    }

    /**
     * A store may fail on a spelling, for example a database without a code for the character. The store then fails on a login by
     * this spelling too. If the look-up of the id fails as well, the failure is an outage.
     */
    private @Nullable Authenticated activeBySpelling(LoginSource<?> source, String spelling, String id) {
        try {
            return active(source, spelling);
        } catch (AuthUnavailableException | AuthPluginException e) {
            Authenticated unused = active(source, id);
            return null;
        }
    }

    private @Nullable Authenticated active(LoginSource<?> source, String id) {
        return calls.ask(source, asked -> asked.account(id)).orElse(null) instanceof Authenticated account
                ? account
                : null;
    }

    private static String idOf(Authenticated account) {
        return account.subject().id();
    }

    /** Two accounts have different stamps. Without stamps, the spellings count as one account. */
    private static boolean hasOneStamp(Authenticated one, Authenticated other) {
        return stampOf(one).matches(stampOf(other));
    }

    private static Secret stampOf(Authenticated account) {
        return Objects.requireNonNullElse(account.stamp(), NO_STAMP);
    }

    /** Other valid ids: in case, blanks, invisible characters, accents, width, and forms of Unicode. */
    static List<String> spellings(String id) {
        return Stream.of(
                        inOtherCase(id, c -> true),
                        // In Turkish the letter I is no upper case of i.
                        inOtherCase(id, c -> c != 'i' && c != 'I'),
                        inOtherCase(id, c -> c < 0x80),
                        id + " ",
                        " " + id,
                        id + "\u00ad",
                        Normalizer.normalize(id + "\u0301", Form.NFC),
                        wide(id),
                        Normalizer.normalize(id, Form.NFC),
                        Normalizer.normalize(id, Form.NFD),
                        Normalizer.normalize(id, Form.NFKC))
                .filter(spelling -> !spelling.equals(id) && Subject.isId(spelling))
                .distinct()
                .toList();
    }

    private static String inOtherCase(String id, IntPredicate changes) {
        return mapped(id, c -> changes.test(c) ? inOtherCase(c) : c);
    }

    private static int inOtherCase(int c) {
        return Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c);
    }

    private static String wide(String id) {
        return mapped(id, c -> c > ' ' && c < 0x7f ? c + WIDE : c);
    }

    private static String mapped(String id, IntUnaryOperator change) {
        return id.codePoints()
                .map(change)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
