package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of user store ignores some differences between names, and answers with the typed name. */
class IgnoredDifferencesTest {

    private static final List<String> NAMES = List.of(
            "ada",
            "Ada",
            "ad\u00e9",
            "Ad\u00e9",
            "Ada@Ex.com",
            "Wei\u00df",
            "\u00c9VA",
            "\uff71\uff80\uff9e",
            "O\ufb03ce",
            "\uff21d\u00e9");

    enum Store {
        UPPER_CASE(name -> name.toUpperCase(Locale.ROOT)),
        LOWER_CASE(name -> name.toLowerCase(Locale.ROOT)),
        ASCII_CASE(Store::asciiCase),
        CASE_PAD_SPACE(name -> trailing(bothCases(name))),
        CASE_CANONICAL_PAD_SPACE(name -> trailing(bothCases(canonical(name)))),
        /** As {@code utf8mb4_0900_as_ci} of MySQL. */
        CASE_CANONICAL_INVISIBLE(name -> bothCases(canonical(visible(name)))),
        /** As {@code utf8mb4_0900_ai_ci}. */
        CASE_ACCENTS_INVISIBLE(name -> bothCases(accentless(visible(name)))),
        /** As {@code utf8mb4_general_ci}. */
        CASE_ACCENTS_PAD_SPACE(name -> trailing(bothCases(accentless(name)))),
        /** As {@code utf8mb4_bin}, and as {@code CS} collations of SQL Server. */
        PAD_SPACE(Store::trailing),
        SURROUNDING_BLANKS(String::strip),
        CANONICAL(Store::canonical),
        ACCENTS(Store::accentless),
        /** As {@code utf8mb4_0900_as_cs}. */
        CANONICAL_INVISIBLE(name -> canonical(visible(name))),
        COMPATIBLE_BLANKS(name -> Normalizer.normalize(name, Form.NFKC).strip());

        @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
        private final UnaryOperator<String> folding;

        Store(UnaryOperator<String> folding) {
            this.folding = folding;
        }

        private boolean isOne(String name, String other) {
            return folding.apply(name).equals(folding.apply(other));
        }

        private static String bothCases(String name) {
            return name.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
        }

        private static String asciiCase(String name) {
            return name.chars()
                    .map(c -> c < 0x80 ? Character.toLowerCase(c) : c)
                    .mapToObj(Character::toString)
                    .collect(Collectors.joining());
        }

        private static String trailing(String name) {
            return name.replaceAll(" +$", "");
        }

        private static String canonical(String name) {
            return Normalizer.normalize(name, Form.NFC);
        }

        private static String accentless(String name) {
            return Normalizer.normalize(name, Form.NFD).replaceAll("\\p{M}", "");
        }

        private static String visible(String name) {
            return name.replaceAll("[\\u00ad\\u200b\\u200d\\ufe0f\\ufeff]", "");
        }
    }

    /** Has one account. */
    private record Users(String stored, Store store, boolean looksUp) implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "users";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return store.isOne(given.username(), stored) ? found(given.username()) : Decision.abstained();
        }

        @Override
        public Optional<Verdict> account(String id) {
            return looksUp && store.isOne(id, stored) ? Optional.of(found(id)) : Optional.empty();
        }

        private static Authenticated found(String typed) {
            return Authenticated.as(Subject.of(typed)).withStamp(Secret.of("hash"));
        }
    }

    private AuthChain chain = AuthChain.of();
    private final SetClock clock = new SetClock();

    private void enrol(Users users) {
        OneTimeCodes codes = OneTimeCodes.of(new InMemoryCodeStore(), SecretKeys.of(Secret.of(new byte[32])), "Example")
                .withClock(clock)
                .withAccountKeys(id -> chain.decidedLogins().accountKeys(id));
        chain = AuthChain.of(List.of(users, new OneTimeCodesPlugin(codes)), clock);
        Phone phone = Phone.of(codes.begin(users.stored()).orElseThrow(), clock);
        assertThat(codes.confirm(users.stored(), phone.secretCode())).isPresent();
    }

    private static Set<String> spellings(String name) {
        return Stream.of(name, name.toLowerCase(Locale.ROOT), name.toUpperCase(Locale.ROOT), Store.asciiCase(name))
                .flatMap(cased -> Stream.of(
                        cased,
                        Normalizer.normalize(cased, Form.NFD),
                        Normalizer.normalize(cased, Form.NFKC),
                        Store.accentless(cased)))
                .flatMap(letters -> Stream.of(
                        letters,
                        letters + " ",
                        " " + letters,
                        letters + "\u00ad",
                        letters + "\ufe0f ",
                        letters.charAt(0) + "\u200d" + letters.substring(1)))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @EnumSource
    void everySpellingThatTheStoreFinds_needsTheCode(Store store) {
        for (String name : NAMES) {
            enrol(new Users(name, store, true));
            assertThat(spellings(name))
                    .filteredOn(typed -> store.isOne(typed, name))
                    .allSatisfy(this::needsTheCode);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ada", "Ada\u00ad", "A\u200dDA", "a\ufe0fda"})
    void spellingOfAnAccountThatNoSourceLooksUp_needsTheCode(String typed) {
        enrol(new Users("Ada", Store.CASE_ACCENTS_INVISIBLE, false));
        needsTheCode(typed);
    }

    private void needsTheCode(String typed) {
        assertThat(chain.authenticate(new PasswordCredentials(typed, Secret.of("right"))))
                .isInstanceOf(Challenged.class);
    }
}
