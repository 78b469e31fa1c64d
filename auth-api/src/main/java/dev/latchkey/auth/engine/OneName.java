package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The check that the sources answer with one id for an account ({@link DecidedLogins#requireOneName}). A source looks the account
 * up by other spellings of its id, some for each kind of difference. A source that ignores the kind finds the account by one of
 * these spellings too.
 */
record OneName(Roles roles, SubjectNames names, PluginCalls calls) {

    private static final Secret NO_STAMP = Secret.of("");
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    /** From an ASCII character to the same character in full width. */
    private static final int WIDE = '\uff01' - '!';

    private static final int MOST_LETTERS = 32;

    void require(Authenticated login) {
        if (roles.source(login.plugin()).isEmpty()) {
            throw new IllegalArgumentException("The login is of no source of this chain");
        }
        for (LoginSource<?> source : roles.sources()) {
            if (!SubjectNames.isRegistered(source)
                    && !names.isForeignTo(source, login.subject().id())) {
                names.inPlugin(source.name(), login.subject().id())
                        .ifPresent(id -> require(source, id, source.name().equals(login.plugin())));
            }
        }
    }

    private void require(LoginSource<?> source, String id, boolean isOfTheLogin) {
        Optional<Verdict> known = lookUp(source, id);
        if (known.isEmpty()) {
            requireStoredNames(source, isOfTheLogin);
            return;
        }
        Authenticated account = activeIn(known);
        if (account == null) {
            throw changed();
        }
        if (!idOf(account).equals(id)) {
            throw new AuthPluginException(
                    source.name(), "finds the account of a login under another id than the login's");
        }
        for (String spelling : spellings(id)) {
            Authenticated found = activeBySpelling(source, spelling, id);
            if (found != null && !idOf(found).equals(id) && isOneAccount(source, account, found)) {
                throw new AuthPluginException(
                        source.name(),
                        "finds an account under several spellings of its name, and answers with other ids than the stored name."
                                + " Answer with the stored name for each spelling. If these are several accounts, give each a stamp");
            }
        }
    }

    private void requireStoredNames(LoginSource<?> source, boolean isOfTheLogin) {
        if (isOfTheLogin && !calls.ask(source, LoginSource::hasStoredNames)) {
            throw new AuthPluginException(
                    source.name(),
                    "does not find the account of a login by the login's id, so the names in its answers cannot be checked."
                            + " Let account() find the id, or declare hasStoredNames()");
        }
    }

    private Optional<Verdict> lookUp(LoginSource<?> source, String id) {
        Optional<Verdict> account = calls.ask(source, asked -> asked.account(id));
        account.ifPresent(found -> calls.answered(source));
        return account;
    }

    private @Nullable Authenticated active(LoginSource<?> source, String id) {
        return activeIn(lookUp(source, id));
    }

    private static @Nullable Authenticated activeIn(Optional<Verdict> account) {
        return account.orElse(null) instanceof Authenticated active ? active : null;
    }

    /**
     * A store may fail on a spelling, for example a database without a code for the character. The store then fails on a login by
     * this spelling too. An outage also fails the look-up of the id, or ends until the second attempt. Each store has the characters
     * of the other case in ASCII, so a failure there is an outage.
     */
    private @Nullable Authenticated activeBySpelling(LoginSource<?> source, String spelling, String id) {
        try {
            return active(source, spelling);
        } catch (AuthUnavailableException first) {
            Authenticated unused = active(source, id);
            try {
                return active(source, spelling);
            } catch (AuthUnavailableException second) {
                if (second.kind() != AuthUnavailableException.Kind.OUTAGE || isAsciiInOtherCase(spelling, id)) {
                    throw second;
                }
                Authenticated unusedToo = active(source, id);
                return null;
            }
        }
    }

    private static boolean isAsciiInOtherCase(String spelling, String id) {
        return spelling.equalsIgnoreCase(id) && spelling.chars().allMatch(c -> c < 0x80);
    }

    private static String idOf(Authenticated account) {
        return account.subject().id();
    }

    /** Two accounts have different stamps, and keep them. Without stamps, the spellings count as one account. */
    private boolean isOneAccount(LoginSource<?> source, Authenticated account, Authenticated found) {
        if (stampOf(account).matches(stampOf(found))) {
            return true;
        }
        Authenticated now = active(source, idOf(account));
        if (now == null || !stampOf(now).matches(stampOf(account))) {
            throw changed();
        }
        return false;
    }

    /** The account is well at the next attempt, and no plugin is down. */
    private static AuthUnavailableException changed() {
        return AuthUnavailableException.overload("The account has changed during the check of its names", A_MOMENT);
    }

    private static Secret stampOf(Authenticated account) {
        return Objects.requireNonNullElse(account.stamp(), NO_STAMP);
    }

    /**
     * Other valid ids: in case, blanks, invisible characters, accents, width, and forms of Unicode. Stores disagree about the case of
     * some letters, such as the Greek final sigma and the Turkish I. So each letter is changed alone too.
     */
    static List<String> spellings(String id) {
        Stream<String> others = Stream.of(
                id.toUpperCase(Locale.ROOT),
                id.toLowerCase(Locale.ROOT),
                id + " ",
                " " + id,
                id + "\u00ad",
                Normalizer.normalize(id + "\u0301", Form.NFC),
                mapped(id, c -> c > ' ' && c < 0x7f ? c + WIDE : c),
                mapped(id, OneName::singleton),
                Normalizer.normalize(id, Form.NFC),
                Normalizer.normalize(id, Form.NFD),
                Normalizer.normalize(id, Form.NFKC));
        Stream<String> letters = id.codePoints()
                .distinct()
                .limit(MOST_LETTERS)
                .mapToObj(letter -> mapped(id, c -> c == letter ? inOtherCase(c) : c));
        return Stream.concat(others, letters)
                .filter(spelling -> !spelling.equals(id) && Subject.isId(spelling))
                .distinct()
                .toList();
    }

    private static int inOtherCase(int c) {
        return Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c);
    }

    /** A character with the same canonical form: the signs of Kelvin, Ohm and Angstrom. */
    private static int singleton(int c) {
        return switch (c) {
            case 'K' -> '\u212a';
            case '\u03a9' -> '\u2126';
            case '\u00c5' -> '\u212b';
            default -> c;
        };
    }

    private static String mapped(String id, IntUnaryOperator change) {
        return id.codePoints()
                .map(change)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
