package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.account.LoginControl;
import dev.latchkey.auth.spring.account.LoginListener;
import dev.latchkey.auth.spring.account.LoginListeners;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An operator's view of an account's sessions, and what each end of a session tells. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class LoginControlTest {

    private final RefreshScene scene = new RefreshScene(List.of());
    private final LoginControl control = new LoginControl(scene.account, List.of(scene.plugins), () -> scene.now);

    @Test
    void operator_seesAllSessionsOfAnAccount_andEndsOne() {
        IssuedTokens first = scene.login();
        scene.now = scene.now.plusSeconds(5);
        IssuedTokens second = scene.login();
        List<StoredLogin> all = control.of("alice");
        assertThat(all).hasSize(2);
        assertThat(control.of("bob")).isEmpty();
        assertThat(control.end(all.get(1).id())).contains("alice");
        assertThat(control.end(all.get(1).id())).isEmpty();
        assertThat(scene.isAccepted(first)).isFalse();
        assertThat(scene.isAccepted(second)).isTrue();
        assertThat(scene.events).containsExactly("alice OPERATOR");
    }

    @Test
    void operator_endsTheSessionsOfOneDevice() {
        scene.device = "phone";
        IssuedTokens phone = scene.login();
        scene.device = "desktop";
        IssuedTokens desktop = scene.login();
        assertThat(control.endOfDevice("alice", "phone")).isEqualTo(1);
        assertThat(control.endOfDevice("alice", "phone")).isZero();
        assertThat(scene.isAccepted(phone)).isFalse();
        assertThat(scene.isAccepted(desktop)).isTrue();
    }

    @Test
    void operator_endsAllSessions_andAllTokens() {
        IssuedTokens first = scene.login();
        scene.login();
        scene.now = scene.now.plusSeconds(5);
        assertThat(control.endAll("alice")).isEqualTo(2);
        assertThat(scene.isAccepted(first)).isFalse();
        assertThat(scene.revoked.isSubjectRevoked("alice", scene.now.minusSeconds(1)))
                .isTrue();
        assertThat(control.of("alice")).isEmpty();
        assertThat(scene.events).containsExactly("alice OPERATOR", "alice OPERATOR");
    }

    @Test
    void storeOfSessionsThatIsDown_keepsNoTokenOfTheAccount() {
        IssuedTokens tokens = scene.login();
        scene.now = scene.now.plusSeconds(5);
        scene.loginsAreDown = true;
        assertThatThrownBy(() -> control.endAll("alice")).isInstanceOf(AuthUnavailableException.class);
        scene.loginsAreDown = false;
        assertThat(scene.isAccepted(tokens)).isFalse();
    }

    @Test
    void storeOfRevocationsThatIsDown_doesNotKeepTheChainFromRevoking() {
        List<String> asked = new ArrayList<>();
        CredentialsRevoker keys = new CredentialsRevoker() {
            @Override
            public String name() {
                return "keys";
            }

            @Override
            public boolean revoke(Credentials credentials) {
                return false;
            }

            @Override
            public boolean revokeAll(String subjectId, Instant notBefore) {
                return asked.add(subjectId);
            }
        };
        scene.revocationsCannotBeWritten = true;
        LoginControl beside = new LoginControl(scene.account, List.of(AuthChain.of(keys)), () -> scene.now);
        assertThatThrownBy(() -> beside.endAll("alice")).isInstanceOf(AuthUnavailableException.class);
        assertThat(asked).containsExactly("alice");
    }

    @Test
    void reason_isRecorded_forTheEndsThatHaveOne() {
        AccountLogins telling = scene.tellingReasons();
        for (LoginListener.Cause cause : LoginListener.Cause.values()) {
            StoredLogin login = sessionOf(scene.login());
            telling.end(login.id(), "alice", cause);
            boolean isReplaced = scene.revoked.isTokenRevoked("REPLACED\0" + login.id());
            boolean isEnded = scene.revoked.isTokenRevoked("ENDED\0" + login.id());
            assertThat(isReplaced).isEqualTo(cause == LoginListener.Cause.DISPLACED);
            assertThat(isEnded).isEqualTo(cause == LoginListener.Cause.OWNER || cause == LoginListener.Cause.OPERATOR);
            assertThat(scene.revoked.isTokenRevoked(login.id())).isTrue();
        }
    }

    @Test
    void endOfAllSessions_revokesAllTokens_inTheStoreOfTheSessions_andInEachPlugin() {
        scene.login();
        InMemoryRevocationStore other = new InMemoryRevocationStore(Duration.ofDays(30));
        AuthChain elsewhere = AuthChain.of(scene.accounts, JwtAuthPlugin.of(scene.verifier, other));
        int ended = new LoginControl(scene.account, List.of(elsewhere), () -> scene.now).endAll("alice");
        assertThat(ended).isEqualTo(1);
        for (RevocationStore each : List.of(scene.revoked, other)) {
            assertThat(each.isSubjectRevoked("alice", scene.now)).isTrue();
            assertThat(each.isSubjectRevoked("bob", scene.now)).isFalse();
        }
    }

    private StoredLogin sessionOf(IssuedTokens tokens) {
        return scene.store.find(tokens.refresh().orElseThrow().sessionId()).orElseThrow();
    }

    @Test
    void sessionsOfADevice_needNamesOfDevices() {
        assertThatThrownBy(() -> AccountLogins.of(
                        scene.loginStore,
                        scene.revocations,
                        RefreshScene.propertiesOf(List.of(
                                "latchkey.login.max-per-account=1", "latchkey.login.when-full=end-oldest-of-device")),
                        null,
                        null,
                        List.of(),
                        () -> scene.now))
                .isInstanceOf(LatchkeyConfigurationException.class)
                .hasMessageContaining("nothing says what a device is called");
    }

    @Test
    void idOfASession_isBase64Url_andOtherTextIsNotLookedUp() {
        StoredLogin login = sessionOf(scene.login());
        assertThat(scene.account.find(login.id())).contains(login);
        scene.askedOfLogins.clear();
        for (String other : List.of(
                "",
                login.id() + "x",
                login.id().substring(1),
                "+" + login.id().substring(1),
                "/" + login.id().substring(1),
                ":" + login.id().substring(1),
                "@" + login.id().substring(1),
                "[" + login.id().substring(1),
                "`" + login.id().substring(1),
                "{" + login.id().substring(1))) {
            assertThat(scene.account.find(other)).isEmpty();
        }
        assertThat(scene.askedOfLogins).isEmpty();
        for (String edge : List.of("a", "z", "A", "Z", "0", "9", "-", "_")) {
            assertThat(scene.account.find(edge.repeat(43))).isEmpty();
        }
        assertThat(scene.askedOfLogins).hasSize(8);
    }

    @Test
    void listenerThatFails_keepsNoOtherFromHearing(CapturedOutput log) {
        List<String> heard = new ArrayList<>();
        LoginListener failing = new LoginListener() {
            @Override
            public void ended(String subjectId, Cause cause) {
                throw new IllegalStateException("a bug");
            }
        };
        LoginListener listening = new LoginListener() {
            @Override
            public void ended(String subjectId, Cause cause) {
                heard.add(subjectId + " " + cause);
            }

            @Override
            public void refused(String subjectId) {
                heard.add(subjectId + " refused");
            }

            @Override
            public void acting(String actorId, String subjectId) {
                heard.add(actorId + " as " + subjectId);
            }
        };
        LoginListener all = new LoginListeners(List.of(failing, listening));
        all.ended("alice", LoginListener.Cause.OWNER);
        all.refused("alice");
        all.acting("bob", "alice");
        assertThat(heard).containsExactly("alice OWNER", "alice refused", "bob as alice");
        assertThat(log).contains("A login listener failed", "a bug");
    }
}
