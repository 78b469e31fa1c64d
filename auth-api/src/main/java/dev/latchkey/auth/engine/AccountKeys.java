package dev.latchkey.auth.engine;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of rows about an account ({@link DecidedLogins#accountKeys}). Some user stores find an account under several spellings
 * of its name, and answer with the typed spelling as the id. Other stores have separate accounts {@code Alice} and
 * {@code alice}. Therefore the sources decide about each spelling.
 *
 * <p>A missed row is a login without the step. So each doubt keeps the spelling: a disabled account, a state that changes
 * between two look-ups, and a store that names its accounts in another way than at the enrolment.
 */
record AccountKeys(DecidedLogins decided, Roles roles, SubjectNames names) {

    /** For an account whose state changes between the look-ups. */
    private static final int MOST_COMPARISONS = 3;

    private static final Secret NO_STAMP = Secret.of("");

    /** The knowledge about a spelling. Of two sources with the same subjects, the later constant counts. */
    private enum Spelling {
        /** The source knows neither the account nor the spelling. */
        UNKNOWN,
        /** No other account has the spelling. An old row may be under the spelling, and a new row is under the id. */
        POSSIBLE,
        /** Another account has the spelling. */
        OF_ANOTHER,
        /** The source does not tell the spelling from the id. All spellings lead to a row under this spelling. */
        SAME
    }

    List<String> of(String id) {
        Map<Spelling, List<String>> forms =
                AccountName.forms(id).stream().collect(Collectors.groupingBy(form -> spelling(id, form)));
        return Stream.of(
                        forms.getOrDefault(Spelling.SAME, List.of()),
                        List.of(id),
                        forms.getOrDefault(Spelling.POSSIBLE, List.of()))
                .flatMap(List::stream)
                .toList();
    }

    private Spelling spelling(String id, String form) {
        if (names.hasSourcePrefix(form) && !names.hasSourcePrefix(id)) {
            return Spelling.OF_ANOTHER;
        }
        Spelling known = roles.sources().stream()
                .filter(source -> !SubjectNames.isRegistered(source))
                .map(source -> spellingIn(source, id, form))
                .max(Comparator.naturalOrder())
                .orElse(Spelling.UNKNOWN);
        return known == Spelling.UNKNOWN ? unknown(AccountName.caseless(id), form) : known;
    }

    /** Without accounts to compare, case, width and invisible characters are only spelling. Accents make another name. */
    private static Spelling unknown(String caseless, String form) {
        if (form.equals(caseless)) {
            return Spelling.SAME;
        }
        return AccountName.caseless(form).equals(caseless) ? Spelling.POSSIBLE : Spelling.OF_ANOTHER;
    }

    /** Different answers mean two accounts only if the first answer is the same before and after the second answer. */
    private Spelling spellingIn(LoginSource<?> source, String id, String form) {
        for (int i = 0; i < MOST_COMPARISONS; i++) {
            Verdict account = account(source, id);
            Verdict other = account(source, form);
            if (other == null) {
                return account == null ? Spelling.UNKNOWN : Spelling.POSSIBLE;
            }
            if (isOneState(account, other)) {
                return hasOwnName(other, form) ? Spelling.POSSIBLE : Spelling.SAME;
            }
            if (isOneState(account, account(source, id))) {
                return Spelling.OF_ANOTHER;
            }
        }
        return Spelling.SAME;
    }

    private @Nullable Verdict account(LoginSource<?> source, String id) {
        return decided.account(source.name(), id).orElse(null);
    }

    private static boolean isOneState(@Nullable Verdict one, @Nullable Verdict two) {
        if (one instanceof Authenticated found && two instanceof Authenticated other) {
            return stampOf(found).matches(stampOf(other));
        }
        if (one instanceof Rejected rejected && two instanceof Rejected other) {
            return rejected.reason() == other.reason();
        }
        return one == null && two == null;
    }

    private static Secret stampOf(Authenticated account) {
        return Objects.requireNonNullElse(account.stamp(), NO_STAMP);
    }

    /** A store with one name for the account answers with this name, so each login has the same id. */
    private static boolean hasOwnName(Verdict account, String form) {
        return account instanceof Authenticated found && !found.subject().id().equals(form);
    }
}
