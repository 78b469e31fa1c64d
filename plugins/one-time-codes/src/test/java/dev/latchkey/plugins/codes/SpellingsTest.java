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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Accounts whose names differ in case alone, and one account under several spellings. */
class SpellingsTest {

    private static final RequestContext NOWHERE = RequestContext.none();

    private final SetClock clock = new SetClock();
    private final InMemoryCodeStore store = new InMemoryCodeStore();
    private final Map<String, String> local = new HashMap<>();
    private final Map<String, String> remote = new HashMap<>();

    /** Stored texts by name. The subject has the typed name. */
    private record Accounts(String name, Map<String, String> stored, UnaryOperator<String> folding)
            implements LoginSource<PasswordCredentials> {

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return account(given.username())
                    .filter(found ->
                            given.password().matches(Secret.of("of " + stored.get(folding.apply(given.username())))))
                    .map(Decision.class::cast)
                    .orElse(Decision.abstained());
        }

        @Override
        public Optional<Verdict> account(String id) {
            return Optional.ofNullable(stored.get(folding.apply(id)))
                    .map(text -> Authenticated.as(Subject.of(id)).withStamp(Secret.of(text)));
        }
    }

    private AuthChain chain = AuthChain.of();
    private final OneTimeCodes codes = OneTimeCodes.of(store, SecretKeys.of(Secret.of(new byte[32])), "Example")
            .withClock(clock)
            .withAccountKeys(id -> chain.decidedLogins().accountKeys(id));

    private AuthChain chain(UnaryOperator<String> folding) {
        chain = AuthChain.of(
                List.of(
                        new Accounts("users", local, folding),
                        new Accounts("dir", remote, UnaryOperator.identity()),
                        new OneTimeCodesPlugin(codes)),
                clock);
        return chain;
    }

    private void enrol(String id, PasswordCredentials login) {
        OwnCodes own = new OwnCodes(chain, codes);
        Phone phone = Phone.of(own.begin(id, login, Map.of(), NOWHERE).orElseThrow(), clock);
        assertThat(own.confirm(id, phone.secretCode(), RequestContext.none())).isPresent();
        clock.move(CodeSecret.STEP);
    }

    private static PasswordCredentials login(String username, String stored) {
        return new PasswordCredentials(username, Secret.of("of " + stored));
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
        local.put(owner, owner);
        local.put(other, other);
        AuthChain chain = chain(UnaryOperator.identity());
        enrol(other, login(other, other));
        assertThat(chain.authenticate(login(owner, owner))).isInstanceOf(Authenticated.class);
        assertThat(chain.authenticate(login(other, other))).isInstanceOf(Challenged.class);
        enrol(owner, login(owner, owner));
        assertThat(chain.authenticate(login(owner, owner))).isInstanceOf(Challenged.class);
    }

    @Test
    void accountNamedAlmostLikeAnotherSourcesSubject_hasItsOwnCodes() {
        local.put("DIR:bob", "local");
        remote.put("bob", "remote");
        AuthChain chain = chain(UnaryOperator.identity());
        enrol("DIR:bob", login("DIR:bob", "local"));
        assertThat(chain.authenticate(login("bob", "remote"))).isInstanceOf(Authenticated.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice", "Alice", "ALICE"})
    void everySpellingOfOneAccount_needsItsCode(String enrolled) {
        local.put("alice", "alice");
        AuthChain chain = chain(name -> name.toLowerCase(Locale.ROOT));
        enrol(enrolled, login(enrolled, "alice"));
        for (String typed : new String[] {"alice", "Alice", "ALICE", "aLICE"}) {
            assertThat(chain.authenticate(login(typed, "alice"))).as(typed).isInstanceOf(Challenged.class);
        }
    }

    /** A store that compares as {@link String#equalsIgnoreCase} does takes the Turkish dotted I for an i. */
    @ParameterizedTest
    @ValueSource(strings = {"kim", "k\u0130m", "K\u0131M"})
    void everySpellingByJavasCases_needsTheCode(String enrolled) {
        local.put("kim", "kim");
        AuthChain chain = chain(name -> name.equalsIgnoreCase("kim") ? "kim" : name);
        enrol(enrolled, login(enrolled, "kim"));
        for (String typed : new String[] {"kim", "KIM", "k\u0130m", "K\u0131M", "\u212Aim"}) {
            assertThat(chain.authenticate(login(typed, "kim"))).as(typed).isInstanceOf(Challenged.class);
        }
    }

    /** The store folds case alone, or case in Turkish, and keeps all other differences. */
    @ParameterizedTest
    @CsvSource({
        "m\u00aaluisa, M\u00aaLUISA, en",
        "\uff41da, \uff21DA, en",
        "zoe\u0308, ZOE\u0308, en",
        "ali, AL\u0130, tr",
        "\u0131\u015f\u0131k, I\u015eIK, tr",
    })
    void spellingInAnotherCase_needsTheCode_whateverElseTheNameHas(String stored, String upper, Locale language) {
        local.put(stored, stored);
        AuthChain chain = chain(name -> name.toLowerCase(language));
        enrol(upper, login(upper, stored));
        assertThat(chain.authenticate(login(upper, stored))).isInstanceOf(Challenged.class);
        assertThat(chain.authenticate(login(stored, stored))).isInstanceOf(Challenged.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"andre", "Andr\u00e9"})
    void everySpellingOfAStoreWithoutAccents_needsTheCode(String enrolled) {
        local.put("andre", "andre");
        AuthChain chain = chain(name ->
                Normalizer.normalize(name, Form.NFD).replaceAll("\\p{M}", "").toLowerCase(Locale.ROOT));
        enrol(enrolled, login(enrolled, "andre"));
        for (String typed : new String[] {"andre", "Andre", "andr\u00e9", "ANDR\u00c9", "\u00e1ndre"}) {
            assertThat(chain.authenticate(login(typed, "andre"))).as(typed).isInstanceOf(Challenged.class);
        }
    }

    @Test
    void removalForADeletedAccount_keepsTheCodesOfTheOtherAccount() {
        local.put("alice", "alice");
        local.put("Alice", "Alice");
        AuthChain chain = chain(UnaryOperator.identity());
        enrol("alice", login("alice", "alice"));
        enrol("Alice", login("Alice", "Alice"));
        local.remove("Alice");
        assertThat(codes.remove("Alice")).isTrue();
        assertThat(codes.remove("Alice")).isFalse();
        assertThat(chain.authenticate(login("alice", "alice"))).isInstanceOf(Challenged.class);
        local.remove("alice");
        assertThat(codes.remove("ALICE")).isTrue();
    }

    @Test
    void spellingOfAnAccountThatNoSourceLooksUp_needsTheCode() {
        AuthChain chain = chain(UnaryOperator.identity());
        assertThat(chain.decidedLogins().accountKeys("Ada")).containsExactly("ada", "Ada");
        assertThat(chain.decidedLogins().accountKeys("dir:Ada")).containsExactly("dir:ada", "dir:Ada");
    }

    @Test
    void accountThatNoSourceLooksUp_hasItsOwnCodesBesideAnAccentAndBesideAnotherSource() {
        AuthChain chain = chain(UnaryOperator.identity());
        assertThat(chain.decidedLogins().accountKeys("Andr\u00e9")).containsExactly("andr\u00e9", "Andr\u00e9");
        assertThat(chain.decidedLogins().accountKeys("DIR:bob")).doesNotContain("dir:bob");
    }

    /** Each look-up shows another stamp, so different stamps prove nothing. */
    @Test
    void spellingOfAnAccountThatNeverRests_needsTheCode() {
        local.put("ada", "hash");
        AuthChain chain = chain(name -> {
            local.merge("ada", "+", String::concat);
            return name.toLowerCase(Locale.ROOT);
        });
        assertThat(chain.decidedLogins().accountKeys("Ada")).containsExactly("ada", "Ada");
    }
}
