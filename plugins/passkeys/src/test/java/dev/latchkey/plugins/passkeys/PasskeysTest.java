package dev.latchkey.plugins.passkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import dev.latchkey.plugins.passkeys.store.StoredPasskey;
import dev.latchkey.testsupport.LogLines;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a passkey proves, and every way in which it proves nothing, in both roles. */
class PasskeysTest {

    private final Desk desk = new Desk();
    private final Authenticator ada = desk.enrol("ada");

    private Challenged challenged() {
        return (Challenged) desk.chain.authenticate(Desk.ADA);
    }

    private Verdict answer(Challenged challenge, Map<String, Secret> fields) {
        return desk.chain.authenticate(new ChallengeResponse(challenge, fields));
    }

    private static void assertIn(Verdict verdict, String... factors) {
        assertThat(verdict).isInstanceOfSatisfying(Authenticated.class, login -> {
            assertThat(login.subject().id()).isEqualTo("ada");
            assertThat(login.subject().authorities()).containsExactly("ROLE_USER");
            assertThat(login.factors().methods()).containsExactlyInAnyOrder(factors);
        });
    }

    private static void assertWrong(Verdict verdict) {
        assertThat(verdict).isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    @Test
    void challengeOfAStep_hasWhatTheClientNeeds() {
        Challenged challenge = challenged();
        assertThat(challenge.method()).isEqualTo("hwk");
        assertThat(challenge.parameters())
                .containsEntry("rp_id", "example.com")
                .containsEntry("credential_ids", List.of(ada.id()))
                .containsEntry("user_verification", "preferred")
                .containsEntry("timeout", 300_000L)
                .containsKey("challenge");
    }

    @Test
    void passwordAndPasskey_completeALogin() {
        Challenged challenge = challenged();
        assertIn(answer(challenge, ada.sign(challenge.parameters())), "pwd", "hwk", "user", "mfa");
    }

    @Test
    void keyWithoutVerification_isGoodAsStep_andNotAlone() {
        ada.unverified();
        Challenged challenge = challenged();
        assertIn(answer(challenge, ada.sign(challenge.parameters())), "pwd", "hwk", "user");
        assertWrong(desk.login(ada.sign(desk.passkeys.begin())));
    }

    @Test
    void passkeyAlone_isACompleteLogin_underTheIdOfTheAccount() {
        assertIn(desk.login(ada.sign(desk.passkeys.begin())), "hwk", "user", "mfa");
    }

    @Test
    void passkeyWithoutCounter_isGoodAgain_withAnotherChallenge() {
        assertThat(desk.passkeys.removeAll("ada")).isEqualTo(1);
        Authenticator synced = desk.enrol("ada", new Authenticator().withoutCounter());
        assertIn(desk.login(synced.sign(desk.passkeys.begin())), "hwk", "user", "mfa");
        assertIn(desk.login(synced.sign(desk.passkeys.begin())), "hwk", "user", "mfa");
        Map<String, Secret> fields = synced.sign(desk.passkeys.begin());
        assertIn(desk.login(fields), "hwk", "user", "mfa");
        assertWrong(desk.login(fields));
    }

    static Stream<Named<Consumer<Authenticator>>> lies() {
        return Stream.of(
                Named.of("another origin", each -> each.origin = "https://example.com.evil.test"),
                Named.of("the origin without TLS", each -> each.origin = "http://example.com"),
                Named.of("an origin that is none", each -> each.origin = "example"),
                Named.of("a frame of another origin", each -> each.isInAFrame = true),
                Named.of("another domain", each -> each.domain = "evil.test"),
                Named.of("nobody there", Authenticator::absent),
                Named.of("a counter that goes back", each -> each.counter = 0),
                Named.of("a counter that is gone", each -> each.counter = -1));
    }

    @ParameterizedTest
    @MethodSource("lies")
    void lyingClient_isRefused_asStepAndAlone(Consumer<Authenticator> lie) {
        for (int uses = 0; uses < 3; uses++) {
            desk.login(ada.sign(desk.passkeys.begin()));
        }
        Challenged challenge = challenged();
        lie.accept(ada);
        assertWrong(answer(challenge, ada.sign(challenge.parameters())));
        lie.accept(ada);
        assertWrong(desk.login(ada.sign(desk.passkeys.begin())));
    }

    @Test
    void passkeyOfAnotherAccount_isRefused_asStep() {
        Authenticator bob = desk.enrol("bob");
        Challenged challenge = challenged();
        assertWrong(answer(challenge, bob.sign(challenge.parameters())));
    }

    @Test
    void handleOfAnotherAccount_isRefused() {
        Authenticator bob = desk.enrol("bob");
        Map<String, Secret> fields = ada.sign(desk.passkeys.begin());
        fields.put("user_handle", Secret.of(bob.handle()));
        assertWrong(desk.login(fields));
        Challenged challenge = challenged();
        Map<String, Secret> response = ada.sign(challenge.parameters());
        response.put("user_handle", Secret.of(bob.handle()));
        assertWrong(answer(challenge, response));
    }

    @Test
    void unknownCredential_isAnsweredAsAWrongSignature() {
        Authenticator nobody = new Authenticator();
        nobody.register((String) desk.passkeys.begin().get("challenge"), ada.handle());
        assertWrong(desk.login(nobody.sign(desk.passkeys.begin())));
        Challenged challenge = challenged();
        assertWrong(answer(challenge, nobody.sign(challenge.parameters())));
    }

    @Test
    void replay_isRefused_whateverTheCounter() {
        Challenged challenge = challenged();
        Map<String, Secret> fields = ada.sign(challenge.parameters());
        assertIn(answer(challenge, fields), "pwd", "hwk", "user", "mfa");
        assertWrong(answer(challenge, fields));
        assertWrong(answer(challenge, ada.sign(challenge.parameters())));
    }

    /** Otherwise the use at the other node would remove the row of the first use. */
    @Test
    void replay_isRefused_afterAUseAtANodeWithALaterClock() {
        assertThat(desk.passkeys.removeAll("ada")).isEqualTo(1);
        Authenticator synced = desk.enrol("ada", new Authenticator().withoutCounter());
        Map<String, Secret> fields = synced.sign(desk.passkeys.begin());
        assertIn(desk.login(fields), "hwk", "user", "mfa");
        desk.clock.move(Duration.ofMinutes(5).plusSeconds(29));
        assertIn(desk.login(synced.sign(desk.passkeys.begin())), "hwk", "user", "mfa");
        desk.clock.move(Duration.ofSeconds(-30));
        assertWrong(desk.login(fields));
    }

    @Test
    void challengeEnds_afterFiveMinutes() {
        Challenged challenge = challenged();
        Map<String, Object> alone = desk.passkeys.begin();
        desk.clock.move(Duration.ofMinutes(5));
        assertWrong(answer(challenge, ada.sign(challenge.parameters())));
        assertWrong(desk.login(ada.sign(alone)));
    }

    @Test
    void challenge_isGoodForItsPurposeAlone() {
        Challenged challenge = challenged();
        assertWrong(desk.login(ada.sign(challenge.parameters())));
        assertWrong(answer(challenge, ada.sign(desk.passkeys.begin())));
        assertWrong(desk.login(ada.sign(desk.own.challenge("ada").orElseThrow())));
        assertWrong(answer(challenge, ada.sign(challenged().parameters())));
        desk.enrol("bob");
        assertWrong(answer(challenge, ada.sign(desk.own.challenge("bob").orElseThrow())));
        assertWrong(desk.login(ada.sign(Base64Url.encode(new byte[56]))));
    }

    @Test
    void twoLoginsAtOnce_withOneChallenge_areOne() throws Exception {
        Map<String, Object> parameters = desk.passkeys.begin();
        List<Callable<Verdict>> logins = Stream.generate(() -> ada.sign(parameters))
                .limit(8)
                .map(fields -> (Callable<Verdict>) () -> desk.login(fields))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        int in = 0;
        for (Future<Verdict> each : threads.invokeAll(logins)) {
            in += each.get() instanceof Authenticated ? 1 : 0;
        }
        threads.shutdown();
        assertThat(in).isEqualTo(1);
    }

    /** Another login has written the counter between the reading and the writing of this one. */
    private Passkeys overtaken(int times, AtomicInteger tries) {
        PasskeyStore racing = (PasskeyStore) Proxy.newProxyInstance(
                PasskeyStore.class.getClassLoader(),
                new Class<?>[] {PasskeyStore.class},
                (proxy, method, arguments) -> method.getName().equals("used") && tries.incrementAndGet() <= times
                        ? false
                        : method.invoke(desk.store, arguments));
        return Passkeys.of(racing, Desk.SERVICE, Desk.KEY).withClock(desk.clock);
    }

    @Test
    void loginThatIsOvertaken_isCheckedOnceMore_withTheSameChallenge() {
        AtomicInteger tries = new AtomicInteger();
        Passkeys passkeys = overtaken(1, tries);
        Assertion assertion = PasskeyCredentials.of(ada.sign(passkeys.begin()))
                .flatMap(PasskeyCredentials::assertion)
                .orElseThrow();
        assertThat(passkeys.useAsLogin(assertion)).isPresent();
        assertThat(tries).hasValue(2);
    }

    @Test
    void loginThatIsOvertakenTenTimes_isAnOutage() {
        AtomicInteger tries = new AtomicInteger();
        Passkeys passkeys = overtaken(Integer.MAX_VALUE, tries);
        Assertion assertion = PasskeyCredentials.of(ada.sign(passkeys.begin()))
                .flatMap(PasskeyCredentials::assertion)
                .orElseThrow();
        assertThatThrownBy(() -> passkeys.useAsLogin(assertion)).isInstanceOf(AuthUnavailableException.class);
        assertThat(tries).hasValue(10);
    }

    static Stream<Named<UnaryOperator<String>>> damage() {
        return Stream.of(
                Named.of("nothing", text -> ""),
                Named.of("the first half", text -> text.substring(0, text.length() / 2)),
                Named.of("no Base64url", text -> text + "!"),
                Named.of("padding", text -> text + "="),
                Named.of("Base64 of the other alphabet", text -> "+/" + text.substring(2)),
                Named.of("other bytes", text -> "AAAA"),
                Named.of("too much", text -> text + "A".repeat(100_000)),
                Named.of("no ASCII", text -> "ä" + text.substring(1)));
    }

    @ParameterizedTest
    @MethodSource("damage")
    void damagedField_isRefused(UnaryOperator<String> damage) {
        for (String name : ada.sign(desk.passkeys.begin()).keySet()) {
            Challenged challenge = challenged();
            Map<String, Secret> response = ada.sign(challenge.parameters());
            String damaged = response.get(name).withText(text -> damage.apply(text.toString()));
            response.put(name, Secret.of(damaged));
            boolean isLeftOut = name.equals("user_handle") && damaged.isEmpty();
            if (!isLeftOut) {
                assertWrong(answer(challenge, response));
            }
            Map<String, Secret> alone = ada.sign(desk.passkeys.begin());
            alone.put(name, Secret.of(damaged));
            assertWrong(desk.login(alone));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[",
                "null",
                "{\"type\":\"webauthn.get\"}",
                "{\"type\":\"webauthn.get\",\"challenge\":null,\"origin\":null}",
                "{\"type\":\"webauthn.get\",\"challenge\":\"AA+/==\",\"origin\":\"https://example.com\"}",
                "{\"type\":\"webauthn.get\",\"\\u0063hallenge\":\"AA\\u00ff\",\"origin\":\"https://example.com\"}",
                "{\"type\":1,\"challenge\":{},\"origin\":[]}"
            })
    void clientDataThatIsNone_isRefused(String json) {
        Map<String, Secret> fields = ada.sign(desk.passkeys.begin());
        fields.put("client_data_json", Secret.of(Base64Url.encode(json.getBytes(StandardCharsets.UTF_8))));
        assertWrong(desk.login(fields));
    }

    /** The JDK's decoder would take the padding, and has had an error outside of its alphabet. */
    @Test
    void challengeWithPadding_isNoBase64Url_thoughItsSignatureIsRight() {
        assertWrong(desk.login(ada.sign(padded(desk.passkeys.begin()))));
        Map<String, Object> options = desk.own
                .begin("bob", Desk.passwordOf("bob"), Map.of(), RequestContext.none())
                .orElseThrow();
        assertThat(desk.confirm("bob", new Authenticator().register(padded(options), (String) options.get("user_id"))))
                .isEmpty();
    }

    private static String padded(Map<String, Object> parameters) {
        String challenge = (String) parameters.get("challenge");
        assertThat(challenge.length() % 4).isNotZero();
        return challenge + "=".repeat(4 - challenge.length() % 4);
    }

    @Test
    void grantOfAPasskey_isReadAsItsCredentials_andAnotherIsNot() {
        assertThat(desk.plugin.grantTypes()).containsExactly(PasskeysPlugin.GRANT_TYPE);
        Map<String, Secret> fields = ada.sign(desk.passkeys.begin());
        Credentials read = desk.plugin
                .read(PasskeysPlugin.GRANT_TYPE, fields, RequestContext.none())
                .orElseThrow();
        assertIn(desk.chain.authenticate(read), "hwk", "user", "mfa");
        fields.put("signature", Secret.of("no Base64url"));
        assertThat(desk.plugin.read(PasskeysPlugin.GRANT_TYPE, fields, RequestContext.none()))
                .isEmpty();
        fields.remove("signature");
        assertThat(desk.plugin.read(PasskeysPlugin.GRANT_TYPE, fields, RequestContext.none()))
                .isEmpty();
    }

    @Test
    void responseToAChallengeOfNoPasskey_isWrong() {
        Challenged challenge = challenged();
        Challenged withoutState = Challenged.by(challenge.soFar(), "hwk");
        assertThat(desk.plugin.answer(
                        new ChallengeResponse(withoutState, ada.sign(challenge.parameters())), RequestContext.none()))
                .isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    @Test
    void accountThatIsDisabledOrGone_doesNotLogIn() {
        desk.users.disabled.add("ada");
        assertThat(desk.login(ada.sign(desk.passkeys.begin())))
                .isEqualTo(Rejected.because(RejectionReason.ACCOUNT_DISABLED));
        desk.users.gone.add("ada");
        assertThat(desk.login(ada.sign(desk.passkeys.begin())))
                .isEqualTo(Rejected.because(RejectionReason.UNKNOWN_ACCOUNT));
    }

    @Test
    void passkeyOlderThanTheAccount_isOfADeletedAccountOfTheName() {
        desk.users.created = desk.clock.instant();
        assertIn(desk.login(ada.sign(desk.passkeys.begin())), "hwk", "user", "mfa");
        desk.users.created = desk.clock.instant().plusMillis(1);
        assertThat(desk.login(ada.sign(desk.passkeys.begin())))
                .isEqualTo(Rejected.because(RejectionReason.UNKNOWN_ACCOUNT));
        assertThat(((Authenticated) desk.plugin.account("ada").orElseThrow()).created())
                .isEqualTo(desk.users.created);
    }

    @Test
    void sessionOfAPasskey_endsWithThePassword_andWithThePasskey() {
        Authenticated login = (Authenticated) desk.login(ada.sign(desk.passkeys.begin()));
        assertThat(stampNow().matches(login.stamp())).isTrue();
        desk.users.stamp = Secret.of("another hash");
        assertThat(stampNow().matches(login.stamp())).isFalse();
        assertThat(desk.passkeys.remove("bob", ada.id())).isFalse();
        assertThat(desk.passkeys.remove("ada", ada.id())).isTrue();
        assertThat(desk.chain.decidedLogins().account("passkeys", "ada")).isEmpty();
        assertThat(desk.passkeys.removeAll("ada")).isZero();
    }

    @Test
    void sessionOfOneOfTwoPasskeys_endsWithThatPasskey() {
        Map<String, Secret> proof = ada.sign(desk.own.challenge("ada").orElseThrow());
        Map<String, Object> options =
                desk.own.begin("ada", Desk.ADA, proof, RequestContext.none()).orElseThrow();
        Authenticator second = new Authenticator();
        assertThat(desk.confirm("ada", second.register(options))).isPresent();
        Authenticated login = (Authenticated) desk.login(second.sign(desk.passkeys.begin()));
        assertThat(stampNow().matches(login.stamp())).isTrue();
        desk.passkeys.remove("ada", second.id());
        assertThat(stampNow().matches(login.stamp())).isFalse();
    }

    /** Its session would otherwise have the stamp of the other passkey, and could be refreshed. */
    @Test
    void passkeyThatIsRemovedDuringItsLogin_doesNotLogIn() {
        Map<String, Secret> proof = ada.sign(desk.own.challenge("ada").orElseThrow());
        Map<String, Object> options =
                desk.own.begin("ada", Desk.ADA, proof, RequestContext.none()).orElseThrow();
        Authenticator second = new Authenticator();
        assertThat(desk.confirm("ada", second.register(options))).isPresent();
        PasskeyStore removing = (PasskeyStore) Proxy.newProxyInstance(
                PasskeyStore.class.getClassLoader(),
                new Class<?>[] {PasskeyStore.class},
                (proxy, method, arguments) -> {
                    Object answer = method.invoke(desk.store, arguments);
                    if (method.getName().equals("used")) {
                        desk.store.delete("ada", second.id());
                    }
                    return answer;
                });
        PasskeysPlugin plugin = new PasskeysPlugin(
                Passkeys.of(removing, Desk.SERVICE, Desk.KEY).withClock(desk.clock),
                (source, id) -> desk.users.account(id));
        PasskeyCredentials login =
                PasskeyCredentials.of(second.sign(desk.passkeys.begin())).orElseThrow();
        assertThat(plugin.authenticate(login, RequestContext.none()))
                .isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    private Secret stampNow() {
        Verdict account = desk.chain.decidedLogins().account("passkeys", "ada").orElseThrow();
        return Objects.requireNonNull(((Authenticated) account).stamp());
    }

    @Test
    void revokeAll_leavesPasskeys() {
        desk.chain.revokeAll("ada", Instant.MAX);
        assertThat(desk.own.list("ada")).hasSize(1);
    }

    @Test
    void closedPlugin_andStoreThatIsDown_letNobodyIn() {
        Challenged challenge = challenged();
        Map<String, Secret> fields = ada.sign(challenge.parameters());
        desk.plugin.close();
        assertThatThrownBy(() -> desk.chain.authenticate(Desk.ADA)).isInstanceOf(AuthUnavailableException.class);
        assertThatThrownBy(() -> answer(challenge, fields)).isInstanceOf(AuthUnavailableException.class);
        assertThatThrownBy(() -> desk.login(ada.sign(desk.passkeys.begin())))
                .isInstanceOf(AuthUnavailableException.class);
        PasskeyCredentials wrong =
                PasskeyCredentials.of(new Authenticator().sign("AAAA")).orElseThrow();
        assertThatThrownBy(() -> desk.plugin.authenticate(wrong, RequestContext.none()))
                .isInstanceOf(AuthUnavailableException.class);
        assertThatThrownBy(() -> desk.plugin.account("nobody")).isInstanceOf(AuthUnavailableException.class);
        PasskeysPlugin down = new PasskeysPlugin(
                Passkeys.of(new DownStore(), Desk.SERVICE, Desk.KEY).withClock(desk.clock), (s, a) -> null);
        assertThatThrownBy(() -> down.wanted(challenge.soFar(), RequestContext.none()))
                .isInstanceOf(AuthUnavailableException.class);
        try (LogLines log = LogLines.of(OutageLog.class)) {
            AuthChain chain = AuthChain.of(down);
            PasskeyCredentials right =
                    PasskeyCredentials.of(ada.sign(desk.passkeys.begin())).orElseThrow();
            assertThatThrownBy(() -> chain.authenticate(right)).isInstanceOf(AuthUnavailableException.class);
            assertThat(log.all()).containsExactly("WARNING: Plugin 'passkeys' does not answer: The store is down");
        }
    }

    /** Counters of WebAuthn have 32 bits. */
    @ParameterizedTest
    @CsvSource({"AAAA, 0", ", -1", ", 4294967296"})
    void rowThatIsNoPasskey_isAnOutage(@Nullable String key, long counter) {
        StoredPasskey row = desk.store.find(ada.id()).orElseThrow();
        desk.passkeys.removeAll("ada");
        desk.store.insert(
                new StoredPasskey(
                        row.id(),
                        "ada",
                        "users",
                        row.handle(),
                        "key",
                        key == null ? row.key() : key,
                        counter,
                        true,
                        false,
                        row.created(),
                        null),
                8);
        assertThatThrownBy(() -> desk.login(ada.sign(desk.passkeys.begin())))
                .isInstanceOf(AuthUnavailableException.class);
    }
}
