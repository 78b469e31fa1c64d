package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthPluginException;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Codes belong to the exact id. Each kind of user store ignores some differences between names. */
class OneNameTest {

    private static final RequestContext NOWHERE = RequestContext.none();

    private static final List<String> NAMES = List.of(
            "ada",
            "Ada",
            "4711",
            "ad\u00e9",
            "Ad\u00e9",
            "Ada@Ex.com",
            "Wei\u00df",
            "\u0141ukasz",
            "\u03bd\u03af\u03ba\u03bf\u03c2",
            "\u00df",
            "i",
            "K2",
            "\u00c9VA",
            "\uff71\uff80\uff9e",
            "O\ufb03ce",
            "\uff21d\u00e9");

    enum Store {
        EXACT(name -> name),
        UPPER_CASE(name -> name.toUpperCase(Locale.ROOT)),
        LOWER_CASE(name -> name.toLowerCase(Locale.ROOT)),
        TURKISH_CASE(name -> name.toLowerCase(Locale.forLanguageTag("tr"))),
        ASCII_CASE(Store::asciiCase),
        /** As {@code lower} of PostgreSQL: the lower case of each letter alone. */
        LETTER_CASE(name -> name.codePoints()
                .map(Character::toLowerCase)
                .mapToObj(Character::toString)
                .collect(Collectors.joining())),
        CASE_PAD_SPACE(name -> trailing(bothCases(name))),
        CASE_CANONICAL_PAD_SPACE(name -> trailing(bothCases(canonical(name)))),
        /** As {@code utf8mb4_0900_as_ci} of MySQL. */
        CASE_CANONICAL_INVISIBLE(name -> bothCases(canonical(visible(name)))),
        /** As {@code utf8mb4_0900_ai_ci}, where the letter L with stroke is an L, and the tatweel U+0640 is invisible. */
        CASE_ACCENTS_INVISIBLE(name -> bothCases(accentless(visible(name.replace("\u0640", "")))
                .replace('\u0141', 'L')
                .replace('\u0142', 'l'))),
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

        private static String asciiUpper(String name) {
            return name.chars()
                    .map(c -> c < 0x80 ? Character.toUpperCase(c) : c)
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

    /** The id in the answers of a store. */
    enum Naming {
        STORED,
        TYPED
    }

    /** Accounts with a password for each: the stored hash. */
    private static final class Users implements LoginSource<PasswordCredentials> {

        private final Map<String, String> hashes = new HashMap<>();
        private final Store store;
        private final Naming naming;
        private final String name;
        private Consumer<String> onLookUp = id -> {};
        private Runnable afterLookUp = () -> {};
        private boolean isDisabled;

        private Users(Store store, Naming naming, String name) {
            this.store = store;
            this.naming = naming;
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return found(given.username())
                    .filter(login -> given.password().matches(login.stamp()))
                    .map(Decision.class::cast)
                    .orElse(Decision.abstained());
        }

        @Override
        public Optional<Verdict> account(String id) {
            onLookUp.accept(id);
            Optional<Authenticated> account = found(id);
            Runnable now = afterLookUp;
            afterLookUp = () -> {};
            now.run();
            return account.map(login -> isDisabled ? Rejected.because(RejectionReason.ACCOUNT_DISABLED) : login);
        }

        private Optional<Authenticated> found(String typed) {
            return hashes.entrySet().stream()
                    .filter(row -> store.isOne(row.getKey(), typed))
                    .map(row -> Authenticated.as(Subject.of(naming == Naming.STORED ? row.getKey() : typed))
                            .withStamp(Secret.of(row.getValue())))
                    .findFirst();
        }
    }

    private final SetClock clock = new SetClock();
    private AuthChain chain = AuthChain.of();
    private final OneTimeCodes codes = OneTimeCodes.of(
                    new InMemoryCodeStore(), SecretKeys.of(Secret.of(new byte[32])), "Example")
            .withClock(clock);

    private Users users(Store store, Naming naming, String... names) {
        Users users = new Users(store, naming, "users");
        for (String name : names) {
            users.hashes.put(name, "hash of " + name);
        }
        chain = AuthChain.of(List.of(users, new OneTimeCodesPlugin(codes)), clock);
        return users;
    }

    private Optional<Enrolment> begin(String name) {
        return begin(name, "hash of " + name);
    }

    private Optional<Enrolment> begin(String name, String hash) {
        return own().begin(name, new PasswordCredentials(name, Secret.of(hash)), Map.of(), NOWHERE);
    }

    private OwnCodes own() {
        return new OwnCodes(chain, codes);
    }

    private void enrol(String name) {
        Phone phone = Phone.of(begin(name).orElseThrow(), clock);
        assertThat(own().confirm(name, phone.secretCode(), NOWHERE)).isPresent();
        clock.move(CodeSecret.STEP);
    }

    private Verdict login(String typed, String stored) {
        return chain.authenticate(new PasswordCredentials(typed, Secret.of("hash of " + stored)));
    }

    private static Set<String> spellings(String name) {
        return Stream.of(
                        name,
                        name.toLowerCase(Locale.ROOT),
                        name.toUpperCase(Locale.ROOT),
                        Store.asciiCase(name),
                        Store.asciiUpper(name),
                        name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1))
                .flatMap(cased -> Stream.of(
                        cased,
                        Normalizer.normalize(cased, Form.NFD),
                        Normalizer.normalize(cased, Form.NFKC),
                        cased.replace('\u0141', 'L'),
                        cased.replace('K', '\u212a'),
                        Store.accentless(cased)))
                .flatMap(letters -> Stream.of(
                        letters,
                        letters + " ",
                        " " + letters,
                        letters + "\u00ad",
                        letters + "\u0301",
                        letters + "\u0640",
                        letters + "\ufe0f ",
                        letters.charAt(0) + "\u200d" + letters.substring(1)))
                .collect(Collectors.toSet());
    }

    /** If the store finds any other spelling, nobody enrols. */
    @ParameterizedTest
    @EnumSource
    void storeThatAnswersWithTheTypedName_enrolsNobody(Store store) {
        for (String name : NAMES) {
            users(store, Naming.TYPED, name);
            List<String> others = spellings(name).stream()
                    .filter(typed -> !typed.equals(name) && store.isOne(typed, name))
                    .toList();
            if (others.isEmpty()) {
                enrol(name);
                assertThat(login(name, name)).isInstanceOf(Challenged.class);
                assertThat(codes.remove(name)).isTrue();
            } else {
                assertThatThrownBy(() -> begin(name))
                        .as("%s, found by %s", name, others)
                        .isInstanceOf(AuthPluginException.class)
                        .hasMessageContaining("stored name");
                assertThat(login(name, name)).isInstanceOf(Authenticated.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void storeThatAnswersWithTheStoredName_needsTheCodeForEachSpelling(Store store) {
        for (String name : NAMES) {
            users(store, Naming.STORED, name);
            enrol(name);
            assertThat(spellings(name))
                    .filteredOn(typed -> store.isOne(typed, name))
                    .allSatisfy(typed -> assertThat(login(typed, name)).isInstanceOf(Challenged.class));
            assertThat(codes.remove(name)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "alice, Alice",
        "Alice, alice",
        "mike, MIKE",
        "kurt, \u212Aurt",
        "sess, \u017Fess",
        "andre, andr\u00e9",
        "kim, k\u0130m",
        "ann, ' ann'"
    })
    void accountsOfAnExactStore_haveSeparateCodes(String owner, String other) {
        users(Store.EXACT, Naming.TYPED, owner, other);
        enrol(other);
        assertThat(login(owner, owner)).isInstanceOf(Authenticated.class);
        assertThat(login(other, other)).isInstanceOf(Challenged.class);
        enrol(owner);
        assertThat(login(owner, owner)).isInstanceOf(Challenged.class);
        assertThat(codes.remove(other)).isTrue();
        assertThat(codes.remove(other)).isFalse();
        assertThat(login(owner, owner)).isInstanceOf(Challenged.class);
    }

    /** A database of another encoding fails on some characters, at a login too. */
    @ParameterizedTest
    @EnumSource(names = {"EXACT", "CASE_PAD_SPACE"})
    void storeThatFailsOnSomeSpellings_isCheckedByTheOthers(Store store) {
        Users users = users(store, Naming.TYPED, "ada");
        users.onLookUp = id -> {
            if (id.chars().anyMatch(c -> c > 0xff)) {
                throw AuthUnavailableException.outage("No code for the character");
            }
        };
        if (store == Store.EXACT) {
            enrol("ada");
        } else {
            assertThatThrownBy(() -> begin("ada")).isInstanceOf(AuthPluginException.class);
        }
    }

    @Test
    void storeThatFailsDuringTheCheck_isAnOutage() {
        Users users = users(Store.EXACT, Naming.TYPED, "ada");
        AtomicInteger lookUps = new AtomicInteger();
        users.onLookUp = id -> {
            if (lookUps.incrementAndGet() > 1) {
                throw AuthUnavailableException.outage("The store is down");
            }
        };
        assertThatThrownBy(() -> begin("ada")).isInstanceOf(AuthUnavailableException.class);
        assertThat(codes.isEnrolled("ada")).isFalse();
    }

    /** A full pool, for example: with the second attempt, the store answers. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void spellingThatFailsOnce_isLookedUpAgain(Kind kind) {
        Users users = users(Store.LOWER_CASE, Naming.TYPED, "ada");
        AtomicInteger failures = new AtomicInteger();
        users.onLookUp = id -> {
            if (!id.equals("ada") && failures.getAndIncrement() == 0) {
                throw of(kind);
            }
        };
        assertThatThrownBy(() -> begin("ada")).isInstanceOf(AuthPluginException.class);
    }

    /** Each database can look up a name in ASCII. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void storeThatFailsOnEachOtherSpelling_endsTheCheck(Kind kind) {
        Users users = users(Store.LOWER_CASE, Naming.TYPED, "ada");
        users.onLookUp = id -> {
            if (!id.equals("ada")) {
                throw of(kind);
            }
        };
        assertThatThrownBy(() -> begin("ada"))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind));
    }

    private static AuthUnavailableException of(Kind kind) {
        return switch (kind) {
            case OUTAGE -> AuthUnavailableException.outage("down");
            case OVERLOAD -> AuthUnavailableException.overload("full", CodeSecret.STEP);
            case THROTTLED -> AuthUnavailableException.throttled("slow", CodeSecret.STEP);
        };
    }

    @Test
    void storeThatFailedOnASpelling_isNotDownAfterwards() {
        Users users = users(Store.EXACT, Naming.TYPED, "ada");
        users.onLookUp = id -> {
            if (id.chars().anyMatch(c -> c > 0x7f)) {
                throw of(Kind.OUTAGE);
            }
        };
        enrol("ada");
        assertThat(chain.pluginsDown()).isEmpty();
    }

    /** The hash is replaced between the two look-ups of the check, so the stamps differ. */
    @Test
    void accountThatChangesDuringTheCheck_isNotEnrolled() {
        Users users = users(Store.LOWER_CASE, Naming.TYPED, "ada");
        users.afterLookUp = () -> users.hashes.put("ada", "new hash");
        assertThatThrownBy(() -> begin("ada"))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.OVERLOAD))
                .hasMessageContaining("changed");
        assertThat(codes.isEnrolled("ada")).isFalse();
        assertThat(chain.pluginsDown()).isEmpty();
    }

    @Test
    void accountThatIsDisabledDuringTheCheck_isNotEnrolled() {
        Users users = users(Store.EXACT, Naming.STORED, "ada");
        users.onLookUp = id -> users.isDisabled = true;
        assertThatThrownBy(() -> begin("ada")).hasMessageContaining("changed");
    }

    @Test
    void loginOfNoSource_isNotChecked() {
        users(Store.EXACT, Naming.STORED, "ada");
        Authenticated login = Authenticated.as(Subject.of("ada"));
        assertThatThrownBy(() -> chain.decidedLogins().requireOneName(login))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource
    void sourceWithAPrefix_isCheckedByItsOwnIds(Naming naming) {
        Users first = new Users(Store.LOWER_CASE, Naming.TYPED, "first");
        Users further = new Users(Store.LOWER_CASE, naming, "further");
        further.hashes.put("ada", "hash of ada");
        chain = AuthChain.of(List.of(first, further, new OneTimeCodesPlugin(codes)), clock);
        PasswordCredentials login = new PasswordCredentials("ada", Secret.of("hash of ada"));
        if (naming == Naming.STORED) {
            assertThat(own().begin("further:ada", login, Map.of(), NOWHERE)).isPresent();
        } else {
            assertThatThrownBy(() -> own().begin("further:ada", login, Map.of(), NOWHERE))
                    .hasMessageContaining("'further'");
        }
    }

    /** The row would belong to one of the two ids. */
    @Test
    void sharedSubjectWithTwoNames_isNotEnrolled() {
        Users users = new Users(Store.EXACT, Naming.STORED, "users");
        Users directory = new Users(Store.LOWER_CASE, Naming.STORED, "directory");
        users.hashes.put("ada", "hash of ada");
        directory.hashes.put("Ada", "hash of Ada");
        chain = AuthChain.of(List.of(users, directory, new OneTimeCodesPlugin(codes)), clock)
                .withSharedSubjects(Set.of("users", "directory"));
        assertThatThrownBy(() -> begin("ada")).hasMessageContaining("'directory'", "another id");
    }

    /** No look-up can compare the names of such accounts. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void accountThatItsSourceDoesNotLookUp_isEnrolledByADeclaration(boolean hasStoredNames) {
        StampedAccounts accounts = new StampedAccounts("first");
        accounts.hasStoredNames = hasStoredNames;
        chain = AuthChain.of(List.of(accounts, new OneTimeCodesPlugin(codes)), clock);
        if (hasStoredNames) {
            assertThat(begin("Ada", "right")).isPresent();
        } else {
            assertThatThrownBy(() -> begin("Ada", "right"))
                    .isInstanceOf(AuthPluginException.class)
                    .hasMessageContaining("hasStoredNames()");
        }
    }
}
