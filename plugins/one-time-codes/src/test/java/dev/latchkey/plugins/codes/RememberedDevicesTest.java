package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The skipped step of a remembered device, and the events that end this right. */
class RememberedDevicesTest {

    private static final Duration MONTH = Duration.ofDays(30);
    private static final SecretKeys KEYS = SecretKeys.of(Secret.of(new byte[32]));

    private final SetClock clock = new SetClock();
    private final InMemoryCodeStore store = new InMemoryCodeStore();
    private final OneTimeCodes codes = OneTimeCodes.of(store, KEYS, "Example").withClock(clock);
    private final RememberedDevices devices = RememberedDevices.of(codes, MONTH);
    private final StampedAccounts accounts = new StampedAccounts("users");
    private final AuthChain chain = chainOf(accounts, devices);

    private AuthChain chainOf(StampedAccounts first, RememberedDevices remembered) {
        return AuthChain.of(List.of(first, new OneTimeCodesPlugin(codes).rememberingDevices(remembered)), clock);
    }

    private Phone enrol(String account) {
        Phone phone = Phone.of(codes.begin(account).orElseThrow(), clock);
        assertThat(codes.confirm(account, phone.secretCode())).isPresent();
        clock.move(CodeSecret.STEP);
        return phone;
    }

    private static PasswordCredentials password(String account) {
        return new PasswordCredentials(account, Secret.of("right"));
    }

    private static RequestContext from(String token) {
        return RequestContext.none().withHeader(RememberedDevices.HEADER, token);
    }

    private Verdict login(String account, String token) {
        return chain.authenticate(password(account), from(token));
    }

    /** Logs in with a code of this phone and has the device remembered. */
    private RememberedDevice remember(String account, Phone phone, RequestContext context) {
        Challenged challenge = (Challenged) chain.authenticate(password(account), context);
        Authenticated login =
                (Authenticated) chain.authenticate(new ChallengeResponse(challenge, phone.secretCode()), context);
        clock.move(CodeSecret.STEP);
        return chain.decidedLogins()
                .remember(challenge.plugin(), login, context)
                .orElseThrow();
    }

    private String remembered(String account) {
        return text(remember(account, enrol(account), RequestContext.none()));
    }

    private static String text(RememberedDevice device) {
        return device.token().withText(CharSequence::toString);
    }

    @Test
    void deviceThatHasShownACode_isNotAsked_untilItsTimeIsOver() {
        RememberedDevice device = remember("ada", enrol("ada"), RequestContext.none());
        assertThat(device.lifetime())
                .as("from the answer on, in whole seconds")
                .isEqualTo(MONTH.minus(CodeSecret.STEP));
        assertThat(login("ada", text(device))).isInstanceOf(Authenticated.class);
        // The time counts from the start of the login, a step before the code, in the middle of a second.
        clock.move(MONTH.minus(CodeSecret.STEP.multipliedBy(2)));
        clock.move(Duration.ofSeconds(29));
        assertThat(login("ada", text(device))).isInstanceOf(Authenticated.class);
        clock.move(Duration.ofSeconds(1));
        assertThat(login("ada", text(device))).isInstanceOf(Challenged.class);
        assertThat(devices.list("ada")).isEmpty();
    }

    @Test
    void deviceWhoseTimeWouldBeOverWithTheLogin_isNotRemembered() {
        RememberedDevices brief = RememberedDevices.of(codes, Duration.ofMinutes(1));
        AuthChain asking = chainOf(accounts, brief);
        Phone phone = enrol("ada");
        Challenged challenge = (Challenged) asking.authenticate(password("ada"), RequestContext.none());
        Authenticated login = (Authenticated)
                asking.authenticate(new ChallengeResponse(challenge, phone.secretCode()), RequestContext.none());
        clock.move(Duration.ofMinutes(1));
        assertThat(asking.decidedLogins().remember(challenge.plugin(), login, RequestContext.none()))
                .isEmpty();
        assertThat(brief.list("ada")).isEmpty();
    }

    /** A rule for both factors must not hold for such a login. */
    @Test
    void loginFromIt_hasProvedThePasswordAlone() {
        String token = remembered("ada");
        assertThat(((Authenticated) login("ada", token)).factors().methods()).isEqualTo(Set.of("pwd"));
    }

    @Test
    void thiefOfAToken_stillNeedsThePassword() {
        String token = remembered("ada");
        PasswordCredentials guess = new PasswordCredentials("ada", Secret.of("wrong"));
        assertThat(chain.authenticate(guess, from(token))).isInstanceOf(Rejected.class);
    }

    @Test
    void token_isGoodForNoOtherAccount() {
        String token = remembered("ada");
        enrol("bob");
        assertThat(login("bob", token)).isInstanceOf(Challenged.class);
        store.update(
                "bob",
                revisionOf("bob"),
                stored("bob").withDevices(stored("ada").devices()));
        assertThat(login("bob", token)).as("also where its row was copied").isInstanceOf(Challenged.class);
    }

    @Test
    void token_isGoodForNoOtherPluginsAccountOfThatName() {
        String token = remembered("ada");
        AuthChain another = chainOf(new StampedAccounts("directory"), devices);
        assertThat(another.authenticate(password("ada"), from(token))).isInstanceOf(Challenged.class);
    }

    @Test
    void changedPassword_endsIt() {
        String token = remembered("ada");
        accounts.stamp = "another hash";
        assertThat(login("ada", token)).isInstanceOf(Challenged.class);
    }

    @Test
    void anotherEnrolment_endsIt_andSoDoesTheSameAccountsNext() {
        String token = remembered("ada");
        List<String> rows = stored("ada").devices();
        Phone next = Phone.of(OwnCodesTest.beginAnew(codes, "ada").orElseThrow(), clock);
        assertThat(login("ada", token)).as("not confirmed yet").isInstanceOf(Authenticated.class);
        codes.confirm("ada", next.secretCode());
        assertThat(devices.list("ada")).isEmpty();
        assertThat(login("ada", token)).isInstanceOf(Challenged.class);
        store.update("ada", revisionOf("ada"), stored("ada").withDevices(rows));
        assertThat(login("ada", token)).as("also where its row came back").isInstanceOf(Challenged.class);
        codes.remove("ada");
        enrol("ada");
        assertThat(login("ada", token)).isInstanceOf(Challenged.class);
    }

    @Test
    void device_isForgottenByItself_orWithAllOthers_andComesNotBack() {
        Phone phone = enrol("ada");
        String first = text(remember("ada", phone, RequestContext.none()));
        String second = text(remember("ada", phone, RequestContext.none()));
        String third = text(remember("ada", phone, RequestContext.none()));
        String idOfSecond = devices.list("ada").get(1).id();
        enrol("bob");
        assertThat(devices.forget("bob", idOfSecond)).as("another's").isFalse();
        assertThat(login("ada", second)).isInstanceOf(Authenticated.class);
        assertThat(devices.forget("ada", idOfSecond)).isTrue();
        assertThat(devices.forget("ada", idOfSecond)).isFalse();
        assertThat(login("ada", second)).isInstanceOf(Challenged.class);
        assertThat(login("ada", first)).isInstanceOf(Authenticated.class);
        assertThat(devices.forgetAll("ada")).isTrue();
        assertThat(devices.forgetAll("ada")).isFalse();
        assertThat(List.of(login("ada", first), login("ada", third))).hasOnlyElementsOfType(Challenged.class);
    }

    @Test
    void revocationOfTheAccount_forgetsWhatWasRememberedBefore() {
        Phone phone = enrol("ada");
        String before = text(remember("ada", phone, RequestContext.none()));
        assertThat(chain.revokeAll("ada", clock.instant().minus(CodeSecret.STEP.plusSeconds(1))))
                .as("codes are good as before")
                .isFalse();
        assertThat(login("ada", before)).isInstanceOf(Authenticated.class);
        chain.revokeAll("ada", clock.instant());
        assertThat(login("ada", before)).isInstanceOf(Challenged.class);
        String after = text(remember("ada", phone, RequestContext.none()));
        assertThat(login("ada", after)).isInstanceOf(Authenticated.class);
    }

    /** Another node may remember devices, or this node did before. */
    @Test
    void nodeWithoutRememberedDevices_endsThose_byTheAccountAndByTheToken() {
        AuthChain without = AuthChain.of(List.of(accounts, new OneTimeCodesPlugin(codes)), clock);
        Phone phone = enrol("ada");
        String first = text(remember("ada", phone, RequestContext.none()));
        without.revokeAll("ada", clock.instant());
        assertThat(login("ada", first)).isInstanceOf(Challenged.class);
        String second = text(remember("ada", phone, RequestContext.none()));
        RequestContext bearer = RequestContext.none().withHeader("Authorization", "Bearer " + second);
        assertThat(without.revoke(without.readers().of(bearer).get(0))).isTrue();
        assertThat(login("ada", second)).isInstanceOf(Challenged.class);
    }

    @Test
    void eleventhDevice_takesThePlaceOfTheOldest() {
        Phone phone = enrol("ada");
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i <= RememberedDevices.MOST; i++) {
            tokens.add(text(remember("ada", phone, RequestContext.none())));
        }
        assertThat(devices.list("ada")).hasSize(RememberedDevices.MOST);
        assertThat(login("ada", tokens.get(0))).isInstanceOf(Challenged.class);
        assertThat(login("ada", tokens.get(1))).isInstanceOf(Authenticated.class);
        assertThat(login("ada", tokens.get(RememberedDevices.MOST))).isInstanceOf(Authenticated.class);
    }

    @Test
    void rowThatSomebodyHasChanged_isGoodForNothing() {
        String token = remembered("ada");
        KnownDevice device = devices.list("ada").get(0);
        KnownDevice longer = new KnownDevice(
                device.id(), device.name(), device.since(), device.until().plus(MONTH));
        store.update("ada", revisionOf("ada"), stored("ada").withDevices(List.of(longer.text())));
        assertThat(login("ada", token)).isInstanceOf(Challenged.class);
        List<String> nonsense = List.of("", "x", device.id() + " 1 x ", device.id() + " 1 " + Long.MAX_VALUE + " ");
        store.update("ada", revisionOf("ada"), stored("ada").withDevices(nonsense));
        assertThat(login("ada", token)).isInstanceOf(Challenged.class);
        assertThat(devices.list("ada")).isEmpty();
    }

    @Test
    void malformedToken_isAskedForACode() {
        String token = remembered("ada");
        List<String> others = List.of(
                "",
                "device-",
                token + "0",
                token.substring(1),
                token.substring(0, token.length() - 1) + (token.endsWith("0") ? "1" : "0"),
                token.replace("device-", "DEVICE-"),
                "device-" + "é".repeat(96),
                "x".repeat(100_000));
        assertThat(others).allSatisfy(other -> assertThat(login("ada", other)).isInstanceOf(Challenged.class));
        RequestContext twice = RequestContext.none().withHeader(RememberedDevices.HEADER, token, token);
        assertThat(chain.authenticate(password("ada"), twice)).isInstanceOf(Challenged.class);
    }

    @Test
    void tokenOfAnAccountWithUpperCase_isRevoked() {
        String token = remembered("Ada");
        assertThat(login("Ada", token)).isInstanceOf(Authenticated.class);
        assertThat(devices.revoke(DeviceToken.parse(token).orElseThrow())).isTrue();
        assertThat(login("Ada", token)).isInstanceOf(Challenged.class);
    }

    @Test
    void revokedToken_isForgotten_andAnotherDevicesStays() {
        Phone phone = enrol("ada");
        String revoked = text(remember("ada", phone, RequestContext.none()));
        String other = text(remember("ada", phone, RequestContext.none()));
        RequestContext bearer = RequestContext.none().withHeader("Authorization", "Bearer " + revoked);
        assertThat(chain.authenticate(chain.readers().of(bearer).get(0), bearer))
                .isInstanceOf(Rejected.class);
        assertThat(chain.revoke(chain.readers().of(bearer).get(0))).isTrue();
        assertThat(chain.revoke(chain.readers().of(bearer).get(0))).isFalse();
        assertThat(login("ada", revoked)).isInstanceOf(Challenged.class);
        assertThat(login("ada", other)).isInstanceOf(Authenticated.class);
    }

    @Test
    void accountWhoseIdATokenHasNoRoomFor_isNotRemembered() {
        String longest = "a".repeat(204);
        assertThat(login(longest, remembered(longest))).isInstanceOf(Authenticated.class);
        Phone phone = enrol(longest + "a");
        Challenged challenge = (Challenged) chain.authenticate(password(longest + "a"));
        Authenticated login = (Authenticated) chain.authenticate(new ChallengeResponse(challenge, phone.secretCode()));
        assertThat(chain.decidedLogins().remember(challenge.plugin(), login, RequestContext.none()))
                .isEmpty();
    }

    @Test
    void accountWhosePasswordMayChangeUnnoticed_isNotRemembered() {
        Phone phone = enrol("ada");
        for (String none : new String[] {null, ""}) {
            accounts.stamp = none;
            Challenged challenge = (Challenged) chain.authenticate(password("ada"));
            Authenticated login =
                    (Authenticated) chain.authenticate(new ChallengeResponse(challenge, phone.secretCode()));
            clock.move(CodeSecret.STEP);
            assertThat(chain.decidedLogins().remember("one-time-codes", login, RequestContext.none()))
                    .isEmpty();
        }
        assertThat(devices.list("ada")).isEmpty();
    }

    @Test
    void accountThatHasNotEnrolled_hasNoDevices() {
        Authenticated login = (Authenticated) chain.authenticate(password("ada"));
        assertThat(chain.decidedLogins().remember("one-time-codes", login, RequestContext.none()))
                .isEmpty();
        assertThat(devices.list("ada")).isEmpty();
        assertThat(devices.forgetAll("ada")).isFalse();
    }

    @Test
    void clockThatIsSetBack_orAShorterTimeByNow_doesNotProlongIt() {
        String token = remembered("ada");
        AuthChain shorter = chainOf(accounts, RememberedDevices.of(codes, Duration.ofMinutes(1)));
        assertThat(shorter.authenticate(password("ada"), from(token))).isInstanceOf(Authenticated.class);
        clock.move(Duration.ofMinutes(1));
        assertThat(shorter.authenticate(password("ada"), from(token))).isInstanceOf(Challenged.class);
        clock.move(Duration.ofHours(-1));
        assertThat(login("ada", token)).isInstanceOf(Challenged.class);
    }

    @Test
    void anotherEncryptionKey_leavesIt_andWhoDoesNotRememberAnyIsAsked() {
        String token = remembered("ada");
        SecretKeys newer = SecretKeys.of(Secret.of("k".repeat(32)), Secret.of(new byte[32]));
        OneTimeCodes rotated = OneTimeCodes.of(store, newer, "Example").withClock(clock);
        rotated.reseal("ada");
        OneTimeCodesPlugin plugin =
                new OneTimeCodesPlugin(rotated).rememberingDevices(RememberedDevices.of(rotated, MONTH));
        assertThat(AuthChain.of(List.of(accounts, plugin), clock).authenticate(password("ada"), from(token)))
                .isInstanceOf(Authenticated.class);
        assertThat(AuthChain.of(accounts, new OneTimeCodesPlugin(codes)).authenticate(password("ada"), from(token)))
                .isInstanceOf(Challenged.class);
    }

    /** To enrol another phone, or to take the step away, a code is wanted on a remembered device too. */
    @Test
    void tokenIsNoCode_whereOneIsWantedForTheCodesThemselves() {
        Phone phone = enrol("ada");
        RequestContext known = from(text(remember("ada", phone, RequestContext.none())));
        OwnCodes own = new OwnCodes(chain, codes);
        Map<String, Secret> none = Map.of();
        assertThat(own.begin("ada", password("ada"), none, known)).isEmpty();
        assertThat(own.disable("ada", password("ada"), none, known)).isFalse();
        assertThat(codes.isEnrolled("ada")).isTrue();
        assertThat(own.disable("ada", password("ada"), Map.of("code", phone.secretCode()), known))
                .isTrue();
    }

    @Test
    void owner_isShownWhatTheDeviceCallsItself_andNothingToLogInWith() {
        String agent = "Mozilla/5.0 (X11; Linux x86_64), like <script>alert('x')</script>\n";
        RequestContext context = RequestContext.none().withHeader("User-Agent", agent + "y".repeat(500));
        RememberedDevice device = remember("ada", enrol("ada"), context);
        KnownDevice shown = devices.list("ada").get(0);
        assertThat(shown.name())
                .startsWith("Mozilla/5.0 (X11; Linux x86_64) like scriptalert(x)/scriptyyy")
                .hasSize(120);
        assertThat(shown.until()).isEqualTo(shown.since().plus(MONTH));
        assertThat(login("ada", shown.id())).isInstanceOf(Challenged.class);
        assertThat(login("ada", "device-" + shown.id() + "0".repeat(64))).isInstanceOf(Challenged.class);
        assertThat(device.toString() + stored("ada"))
                .doesNotContain(text(device).substring(7, 40));
    }

    @Test
    void outage_remembersNothing_andLetsNobodyIn() {
        OneTimeCodes down = OneTimeCodes.of(new FakeStores.Down(), KEYS, "Example");
        OneTimeCodesPlugin plugin = new OneTimeCodesPlugin(down).rememberingDevices(RememberedDevices.of(down, MONTH));
        AuthChain broken = AuthChain.of(accounts, plugin);
        Authenticated login = (Authenticated) AuthChain.of(accounts).authenticate(password("ada"));
        assertThatThrownBy(() -> broken.decidedLogins().remember("one-time-codes", login, RequestContext.none()))
                .isInstanceOf(AuthUnavailableException.class);
        assertThatThrownBy(() -> broken.authenticate(password("ada"), from("device-" + "0".repeat(96))))
                .isInstanceOf(AuthUnavailableException.class);
    }

    static Stream<Named<CodeStore>> stores() {
        return Databases.stores();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void tenDevices_areFoundInEachStore(CodeStore anyStore) {
        OneTimeCodes stored = OneTimeCodes.of(anyStore, KEYS, "Example").withClock(clock);
        Phone phone = Phone.of(stored.begin("ada").orElseThrow(), clock);
        stored.confirm("ada", phone.secretCode());
        RememberedDevices remembered = RememberedDevices.of(stored, Duration.ofDays(365));
        Authenticated login = (Authenticated) AuthChain.of(accounts).authenticate(password("ada"));
        RequestContext context = RequestContext.none().withHeader("User-Agent", "x".repeat(500));
        String token = "";
        for (int i = 0; i < RememberedDevices.MOST; i++) {
            token = text(remembered.remember(login, context).orElseThrow());
        }
        assertThat(remembered.list("ada")).hasSize(RememberedDevices.MOST);
        assertThat(remembered.knows(login, from(token))).isTrue();
        assertThat(remembered.forgetAll("ada")).isTrue();
        assertThat(remembered.knows(login, from(token))).isFalse();
    }

    @Test
    void time_isAMinuteToAYear() {
        for (Duration wrong : List.of(
                Duration.ZERO, Duration.ofSeconds(59), Duration.ofDays(365).plusMillis(1))) {
            assertThatIllegalArgumentException().isThrownBy(() -> RememberedDevices.of(codes, wrong));
        }
        assertThat(RememberedDevices.of(codes, Duration.ofMinutes(1))).isNotNull();
        assertThat(RememberedDevices.of(codes, Duration.ofDays(365))).isNotNull();
    }

    private StoredCodes stored(String account) {
        return store.find(account).orElseThrow();
    }

    private String revisionOf(String account) {
        return stored(account).revision();
    }
}
