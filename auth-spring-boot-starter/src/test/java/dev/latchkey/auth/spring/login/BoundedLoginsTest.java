package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.contract.Race;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many logins an account may have at a time, and what becomes of one more. */
@Timeout(60)
class BoundedLoginsTest {

    private static final String ALICE = "alice";
    private static final int ROUNDS = 20;

    @Test
    void withoutABound_anAccountHasAnyNumberOfLogins() {
        RefreshScene scene = new RefreshScene(List.of());
        List<IssuedTokens> logins = logins(scene, 12);
        assertThat(logins).allMatch(scene::isAccepted);
        assertThat(scene.account.of(ALICE)).hasSize(12);
        assertThat(scene.events).isEmpty();
    }

    @Test
    void loginBeyondTheBound_endsTheOldest_withAllOfItsTokens() {
        RefreshScene scene = bounded(2);
        IssuedTokens oldest = scene.login();
        IssuedTokens second = scene.login();
        assertThat(scene.isAccepted(oldest)).isTrue();
        IssuedTokens third = scene.login();
        assertThat(scene.isAccepted(oldest)).isFalse();
        assertThat(scene.logins.refresh(RefreshScene.text(oldest))).isEmpty();
        assertThat(scene.isAccepted(second)).isTrue();
        assertThat(scene.logins.refresh(RefreshScene.text(second))).isPresent();
        assertThat(scene.isAccepted(third)).isTrue();
        assertThat(scene.events).containsExactly("alice DISPLACED");
    }

    @Test
    void loginThatWasProlonged_isAsOldAsItsStart() {
        RefreshScene scene = bounded(2);
        IssuedTokens oldest = scene.login();
        IssuedTokens second = scene.login();
        assertThat(scene.logins.refresh(RefreshScene.text(oldest))).isPresent();
        scene.login();
        assertThat(scene.isAccepted(oldest)).isFalse();
        assertThat(scene.isAccepted(second)).isTrue();
    }

    @Test
    void loginBeyondTheBound_isRefused_andTakesNoPlace_whereThatIsConfigured() {
        RefreshScene scene = bounded(2, "latchkey.login.when-full=refuse");
        List<IssuedTokens> logins = logins(scene, 2);
        for (int i = 0; i < 5; i++) {
            assertThat(scene.tryLogin()).isEqualTo(AccountFull.ACCOUNT_FULL);
        }
        assertThat(scene.account.of(ALICE)).hasSize(2);
        assertThat(logins).allMatch(scene::isAccepted);
        assertThat(scene.events).hasSize(5).containsOnly("alice refused");
        scene.revocation.revoke(logins.get(0).access().value());
        assertThat(scene.tryLogin()).isInstanceOf(IssuedTokens.class);
    }

    /** A password and a passkey log in to one account. */
    @Test
    void loginsOfAnAccount_countTogether_whicheverPluginDecidedThem() {
        RefreshScene scene = bounded(2, "latchkey.login.when-full=refuse");
        IssuedTokens byPassword = scene.login();
        assertThat(scene.account.start(byPasskey("first", scene))).isTrue();
        assertThat(scene.account.start(byPasskey("second", scene))).isFalse();
        assertThat(scene.tryLogin()).isEqualTo(AccountFull.ACCOUNT_FULL);
        assertThat(scene.account.of(ALICE)).extracting(StoredLogin::plugin).containsExactly("passkeys", "accounts");
        assertThat(scene.isAccepted(byPassword)).isTrue();
    }

    private static StoredLogin byPasskey(String id, RefreshScene scene) {
        Instant end = scene.now.plus(Duration.ofHours(1));
        return new StoredLogin(id, "passkeys", ALICE, id, "", Set.of(), scene.now, end, end, null);
    }

    @Test
    void loginOfAnotherKindOfDevice_endsNone_andOneOfTheSameTheOldestOfItsKind() {
        RefreshScene scene = bounded(1, "latchkey.login.when-full=end-oldest-of-device");
        IssuedTokens unnamed = scene.login();
        scene.device = "phone";
        IssuedTokens phone = scene.login();
        scene.device = "desktop";
        IssuedTokens desktop = scene.login();
        assertThat(List.of(unnamed, phone, desktop)).allMatch(scene::isAccepted);
        scene.device = "phone";
        IssuedTokens nextPhone = scene.login();
        assertThat(scene.isAccepted(phone)).isFalse();
        assertThat(List.of(unnamed, desktop, nextPhone)).allMatch(scene::isAccepted);
        scene.device = null;
        scene.login();
        assertThat(scene.isAccepted(unnamed)).isFalse();
        assertThat(scene.events).containsExactly("alice DISPLACED", "alice DISPLACED");
    }

    @Test
    void revokedLogins_holdNoPlace() {
        RefreshScene scene = bounded(1, "latchkey.login.when-full=refuse");
        scene.login();
        scene.now = scene.now.plusSeconds(2);
        scene.plugins.revokeAll("alice", scene.now);
        assertThat(scene.account.of(ALICE)).isEmpty();
        IssuedTokens next = scene.login();
        assertThat(scene.isAccepted(next)).isTrue();
        assertThat(scene.account.of(ALICE)).hasSize(1);
    }

    @Test
    void atOnceOnManyThreads_whereTheOldestEnd_theAccountKeepsAsManyAsItMay_andTheseWork() throws Exception {
        RefreshScene scene = bounded(3);
        try (Race race = new Race()) {
            for (int round = 0; round < ROUNDS; round++) {
                List<IssuedTokens> issued = raced(scene, race).stream()
                        .map(IssuedTokens.class::cast)
                        .toList();
                assertThat(scene.account.of(ALICE)).hasSize(3);
                assertThat(issued.stream().filter(scene::isAccepted)).hasSize(3);
            }
        }
    }

    @Test
    void atOnceOnManyThreads_whereNewOnesAreRefused_neverMoreGetInThanMay() throws Exception {
        try (Race race = new Race()) {
            for (int round = 0; round < ROUNDS; round++) {
                RefreshScene scene = bounded(3, "latchkey.login.when-full=refuse");
                List<IssuedTokens> in = raced(scene, race).stream()
                        .filter(IssuedTokens.class::isInstance)
                        .map(IssuedTokens.class::cast)
                        .toList();
                assertThat(in.size()).isLessThanOrEqualTo(3);
                assertThat(in).allMatch(scene::isAccepted);
                assertThat(scene.account.of(ALICE)).hasSameSizeAs(in);
            }
        }
    }

    @Test
    void storeThatFailsWhileItIsCounted_isAnOutage_andTheLoginHoldsNoPlace() {
        RefreshScene scene = bounded(1);
        IssuedTokens first = scene.login();
        scene.revocationsCannotBeWritten = true;
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(scene::tryLogin);
        assertThat(scene.account.of(ALICE)).hasSize(1);
        assertThat(scene.isAccepted(first)).isTrue();
        scene.revocationsCannotBeWritten = false;
        assertThat(scene.isAccepted(scene.login())).isTrue();
        assertThat(scene.isAccepted(first)).isFalse();
    }

    @Test
    void startThatIsNotAcknowledged_isAnOutage_andTheLoginHoldsNoPlace() {
        RefreshScene scene = bounded(1, "latchkey.login.when-full=refuse");
        scene.startsAreUnanswered = true;
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(scene::tryLogin);
        scene.startsAreUnanswered = false;
        assertThat(scene.isAccepted(scene.login())).isTrue();
    }

    @Test
    void sessionThatCannotBeTakenBack_tellsBothFailures() {
        RefreshScene scene = bounded(1, "latchkey.login.when-full=refuse");
        scene.startsAreUnanswered = true;
        scene.beforeLoginsAreAsked = method -> scene.loginsAreDown = method.equals("end");
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(scene::tryLogin)
                .satisfies(outage -> assertThat(outage.getSuppressed()).hasSize(1));
    }

    @Test
    void storeThatThrowsOneExceptionEachTime_isAnOutage() {
        RefreshScene scene = bounded(1);
        AuthUnavailableException down = AuthUnavailableException.outage("down");
        scene.beforeLoginsAreAsked = method -> {
            throw down;
        };
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(scene::tryLogin)
                .isSameAs(down);
    }

    @Test
    void loginOfAFullAccount_isNeverInTheStore() {
        RefreshScene scene = bounded(1, "latchkey.login.when-full=refuse");
        scene.login();
        scene.askedOfLogins.clear();
        assertThat(scene.tryLogin()).isEqualTo(AccountFull.ACCOUNT_FULL);
        assertThat(scene.askedOfLogins).doesNotContain("start");
    }

    @Test
    void loginBesideAnother_inTheLastPlace_isRefused_andTakesNoPlace() {
        RefreshScene scene = bounded(1, "latchkey.login.when-full=refuse");
        Instant end = scene.now.plus(Duration.ofDays(1));
        StoredLogin other = new StoredLogin("f", "accounts", "alice", "1", "", Set.of(), scene.now, end, end, null);
        scene.beforeLoginsAreAsked = method -> {
            if (method.equals("start")) {
                scene.store.start(other);
            }
        };
        assertThat(scene.tryLogin()).isEqualTo(AccountFull.ACCOUNT_FULL);
        assertThat(scene.account.of(ALICE)).containsExactly(other);
    }

    @Test
    void displacedSession_hasThatReason_alsoIfReasonsAreTold() {
        RefreshScene scene = bounded(1);
        StoredLogin first = scene.store
                .find(scene.login().refresh().orElseThrow().sessionId())
                .orElseThrow();
        Instant end = scene.now.plus(Duration.ofDays(1));
        StoredLogin next = new StoredLogin("f", "accounts", "alice", "1", "", Set.of(), scene.now, end, end, null);
        assertThat(scene.tellingReasons().start(next)).isTrue();
        assertThat(scene.account.of(ALICE)).containsExactly(next);
        assertThat(scene.revoked.isTokenRevoked("REPLACED\0" + first.id())).isTrue();
    }

    @Test
    void accountOfAnotherPlugin_hasPlacesOfItsOwn() {
        RefreshScene scene = bounded(1, "latchkey.login.when-full=refuse");
        Instant end = scene.now.plus(Duration.ofDays(1));
        scene.loginStore.start(
                new StoredLogin("f", "ldap", "ldap:alice", "1", "", Set.of(), scene.now, end, end, null));
        assertThat(scene.tryLogin()).isInstanceOf(IssuedTokens.class);
    }

    @Test
    void loginWithoutARefreshToken_isNotKept_andNotCounted() {
        RefreshScene scene = bounded(1, "latchkey.login.when-full=refuse");
        scene.accounts.known = false;
        assertThat(logins(scene, 3))
                .allMatch(scene::isAccepted)
                .allMatch(login -> login.refresh().isEmpty());
        scene.accounts.known = true;
        assertThat(scene.login().refresh()).isPresent();
        assertThat(scene.account.of(ALICE)).hasSize(1);
    }

    @Test
    void endsOfLogins_areToldOnce_withTheirCause() {
        RefreshScene scene = new RefreshScene(List.of("latchkey.login.refresh.race-window=0s"));
        IssuedTokens loggedOut = scene.login();
        scene.revocation.revoke(loggedOut.access().value());
        scene.revocation.revoke(loggedOut.access().value());
        scene.revocation.revoke(RefreshScene.text(scene.login()));
        IssuedTokens reused = scene.login();
        scene.logins.refresh(RefreshScene.text(reused));
        scene.logins.refresh(RefreshScene.text(reused));
        IssuedTokens changed = scene.login();
        scene.accounts.stamp = "another hash";
        scene.logins.refresh(RefreshScene.text(changed));
        assertThat(scene.events).containsExactly("alice LOGOUT", "alice LOGOUT", "alice REUSE", "alice ACCOUNT");
    }

    private static List<LoginOutcome> raced(RefreshScene scene, Race race) throws Exception {
        List<LoginOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
        List<Race.Runner> runners = new ArrayList<>();
        for (int i = 0; i < Race.MOST_THREADS; i++) {
            runners.add(() -> outcomes.add(scene.tryLogin()));
        }
        race.run(runners);
        return outcomes;
    }

    private static RefreshScene bounded(int most, String... more) {
        List<String> settings = new ArrayList<>(List.of(more));
        settings.add("latchkey.login.max-per-account=" + most);
        return new RefreshScene(settings);
    }

    private static List<IssuedTokens> logins(RefreshScene scene, int number) {
        List<IssuedTokens> logins = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            logins.add(scene.login());
        }
        return logins;
    }
}
