package dev.latchkey.plugins.passkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.engine.LoginGate;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The callers that register and remove a passkey, and the callers that cannot. */
class OwnPasskeysTest {

    private final Desk desk = new Desk();

    private Optional<Map<String, Object>> begin(Map<String, Secret> responses) {
        return desk.own.begin("ada", Desk.ADA, responses, RequestContext.none());
    }

    private Map<String, Secret> proofBy(Authenticator authenticator) {
        return authenticator.sign(desk.own.challenge("ada").orElseThrow());
    }

    @Test
    void first_isRegisteredByThePassword_andFurtherOnesByAPasskeyToo() {
        assertThat(desk.own.challenge("ada")).isEmpty();
        Authenticator first = desk.enrol("ada");
        assertThat(begin(Map.of())).isEmpty();
        Map<String, Object> options = begin(proofBy(first)).orElseThrow();
        assertThat(options)
                .containsEntry("exclude_credential_ids", List.of(first.id()))
                .containsEntry("user_id", first.handle())
                .containsEntry("user_name", "ada")
                .containsEntry("rp_name", "Example")
                .as("ES256, EdDSA, RS256")
                .containsEntry("algorithms", List.of(-7L, -8L, -257L));
        Authenticator second = new Authenticator();
        assertThat(desk.confirm("ada", second.register(options))).isPresent();
        assertThat(desk.own.list("ada")).extracting(Passkey::id).containsExactlyInAnyOrder(first.id(), second.id());
    }

    @Test
    void passkeyAlone_provesItsOwnerToo() {
        Authenticator first = desk.enrol("ada");
        PasskeyCredentials login =
                PasskeyCredentials.of(first.sign(desk.passkeys.begin())).orElseThrow();
        Map<String, Object> options =
                desk.own.begin("ada", login, Map.of(), RequestContext.none()).orElseThrow();
        Authenticator second = new Authenticator();
        assertThat(desk.confirm("ada", second.register(options))).isPresent();
        assertThat(desk.store.find(second.id()).orElseThrow().plugin()).isEqualTo("users");
    }

    /** Another spelling of the name would need no passkey. */
    @Test
    void storeThatAnswersWithTheTypedName_registersNobody() {
        desk.users.ignoresCase = true;
        assertThatThrownBy(() -> desk.own.begin("ada", Desk.ADA, Map.of(), RequestContext.none()))
                .isInstanceOf(AuthPluginException.class)
                .hasMessageContaining("stored name");
    }

    @Test
    void nobodyElse_begins() {
        PasswordCredentials wrong = new PasswordCredentials("ada", Secret.of("wrong"));
        assertThat(desk.own.begin("ada", wrong, Map.of(), RequestContext.none()))
                .isEmpty();
        assertThat(desk.own.begin("bob", Desk.ADA, Map.of(), RequestContext.none()))
                .isEmpty();
    }

    @Test
    void registration_isItsAccounts_once_andForFiveMinutes() {
        Map<String, Object> options = begin(Map.of()).orElseThrow();
        Map<String, Secret> made = new Authenticator().register(options);
        assertThat(desk.confirm("bob", made)).isEmpty();
        assertThat(desk.confirm("ada", made)).isPresent();
        assertThat(desk.confirm("ada", made)).isEmpty();
        desk.passkeys.removeAll("ada");
        assertThat(desk.confirm("ada", new Authenticator().register(options)))
                .as("another authenticator, the same challenge")
                .isEmpty();
        Map<String, Object> old = begin(Map.of()).orElseThrow();
        desk.clock.move(Duration.ofMinutes(5));
        assertThat(desk.confirm("ada", new Authenticator().register(old))).isEmpty();
    }

    @Test
    void registrationBegunByAThiefOfThePassword_endsWithTheOwnersFirstPasskey() {
        Map<String, Object> thief = begin(Map.of()).orElseThrow();
        desk.enrol("ada");
        assertThat(desk.confirm("ada", new Authenticator().register(thief))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.latchkey.plugins.passkeys.PasskeysTest#lies")
    void lyingClient_registersNothing(Consumer<Authenticator> lie) {
        Authenticator authenticator = new Authenticator();
        lie.accept(authenticator);
        boolean isAboutCounters = authenticator.counter <= 0
                && authenticator.origin.equals("https://example.com")
                && authenticator.domain.equals("example.com")
                && !authenticator.isInAFrame
                && (authenticator.flags & 1) == 1;
        Map<String, Object> options = begin(Map.of()).orElseThrow();
        assertThat(desk.confirm("ada", authenticator.register(options)).isPresent())
                .isEqualTo(isAboutCounters);
    }

    @Test
    void credentialOfAnotherAccount_isNotTaken() {
        Authenticator ada = desk.enrol("ada");
        Map<String, Object> options = desk.own
                .begin("bob", Desk.passwordOf("bob"), Map.of(), RequestContext.none())
                .orElseThrow();
        assertThat(desk.confirm("bob", ada.register(options))).isEmpty();
    }

    @Test
    void fieldsThatAreNone_registerNothing() {
        Map<String, Secret> made = new Authenticator().register(begin(Map.of()).orElseThrow());
        Secret attestation = made.get("attestation_object");
        Secret clientData = made.get("client_data_json");
        Secret huge = Secret.of("A".repeat(100_000));
        for (Secret bad : new Secret[] {Secret.of(""), Secret.of("!"), Secret.of("AAAA"), huge}) {
            assertThat(desk.own.confirm("ada", "key", bad, clientData, RequestContext.none()))
                    .isEmpty();
            assertThat(desk.own.confirm("ada", "key", attestation, bad, RequestContext.none()))
                    .isEmpty();
        }
        for (String name : new String[] {"", " ", "a\nb", "a".repeat(101)}) {
            assertThat(desk.own.confirm("ada", name, attestation, clientData, RequestContext.none()))
                    .isEmpty();
        }
        assertThat(desk.own.confirm("ada", "key", attestation, clientData, RequestContext.none()))
                .isPresent();
    }

    @Test
    void account_hasEightAtMost() {
        Authenticator first = desk.enrol("ada");
        for (int i = 1; i < PasskeyStore.MOST; i++) {
            Map<String, Object> options = begin(proofBy(first)).orElseThrow();
            assertThat(desk.confirm("ada", new Authenticator().register(options)))
                    .isPresent();
        }
        assertThat(begin(proofBy(first))).isEmpty();
        assertThat(desk.chain.authenticate(Desk.ADA)).as("the parameters fit").isInstanceOf(Challenged.class);
    }

    /** Each id has 340 characters, and a challenge has room for 1,600. */
    @Test
    void passkeyWhoseIdDoesNotFitIntoAChallenge_isNotRegistered() {
        Authenticator first = desk.enrol("ada", new Authenticator(255));
        for (int i = 1; i < 4; i++) {
            Map<String, Object> options = begin(proofBy(first)).orElseThrow();
            assertThat(desk.confirm("ada", new Authenticator(255).register(options)))
                    .isPresent();
        }
        Map<String, Object> options = begin(proofBy(first)).orElseThrow();
        assertThat(desk.confirm("ada", new Authenticator(181).register(options)))
                .isEmpty();
        Map<String, Object> shorter = begin(proofBy(first)).orElseThrow();
        assertThat(desk.confirm("ada", new Authenticator(180).register(shorter)))
                .isPresent();
    }

    @Test
    void longestName_isTaken_andListedWithItsLastUse() {
        Map<String, Secret> made = new Authenticator().register(begin(Map.of()).orElseThrow());
        String longest = "n".repeat(100);
        assertThat(desk.own.confirm(
                        "ada",
                        longest,
                        made.get("attestation_object"),
                        made.get("client_data_json"),
                        RequestContext.none()))
                .get()
                .satisfies(passkey -> {
                    assertThat(passkey.name()).isEqualTo(longest);
                    assertThat(passkey.created()).isEqualTo(desk.clock.instant());
                    assertThat(passkey.lastUsed()).isEmpty();
                });
        Authenticator bob = desk.enrol("bob");
        desk.clock.move(Duration.ofSeconds(1));
        desk.login(bob.sign(desk.passkeys.begin()));
        assertThat(desk.own.list("bob"))
                .singleElement()
                .satisfies(passkey -> assertThat(passkey.lastUsed()).contains(desk.clock.instant()));
    }

    /** The login limits learn that the owner has shown the new passkey too, and only then. */
    @Test
    void gateOfTheLogins_isToldOfTheFirstPasskey_onceItIsRegistered() {
        AtomicInteger told = new AtomicInteger();
        AuthChain gated = desk.chain.withGate(new LoginGate() {
            @Override
            public Verdict decide(Credentials credentials, String account, Supplier<Verdict> decision) {
                return decision.get();
            }

            @Override
            public Verdict decide(
                    Credentials credentials, String account, Supplier<Verdict> decision, Consumer<Runnable> whenAdded) {
                Verdict verdict = decision.get();
                whenAdded.accept(told::incrementAndGet);
                return verdict;
            }
        });
        OwnPasskeys own = new OwnPasskeys(gated, desk.passkeys);
        Map<String, Object> options =
                own.begin("ada", Desk.ADA, Map.of(), RequestContext.none()).orElseThrow();
        Map<String, Secret> made = new Authenticator().register(options);
        Secret clientData = made.get("client_data_json");
        assertThat(own.confirm("ada", "key", Secret.of("AAAA"), clientData, RequestContext.none()))
                .isEmpty();
        assertThat(told).hasValue(0);
        assertThat(own.confirm("ada", "key", made.get("attestation_object"), clientData, RequestContext.none()))
                .isPresent();
        assertThat(told).hasValue(1);
        assertThat(own.confirm("ada", "key", made.get("attestation_object"), clientData, RequestContext.none()))
                .isEmpty();
        assertThat(told).hasValue(1);
    }

    @Test
    void removal_needsAPasskey() {
        Authenticator first = desk.enrol("ada");
        assertThat(desk.own.remove("ada", first.id(), Desk.ADA, Map.of(), RequestContext.none()))
                .isFalse();
        assertThat(desk.own.remove("bob", first.id(), Desk.passwordOf("bob"), Map.of(), RequestContext.none()))
                .isFalse();
        assertThat(desk.own.remove("ada", first.id(), Desk.ADA, proofBy(first), RequestContext.none()))
                .isTrue();
        assertThat(desk.chain.authenticate(Desk.ADA)).isInstanceOf(Authenticated.class);
    }
}
