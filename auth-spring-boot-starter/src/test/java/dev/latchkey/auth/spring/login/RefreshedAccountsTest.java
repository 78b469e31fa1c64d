package dev.latchkey.auth.spring.login;

import static dev.latchkey.auth.spring.login.RefreshScene.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Changes of an account between the login and the refresh. */
class RefreshedAccountsTest {

    private final RefreshScene scene = new RefreshScene();

    @Test
    void accountThatMayNotLogInAnyMore_isRefused_andItsLoginEnded() {
        IssuedTokens tokens = scene.login();
        scene.accounts.state = Rejected.because(RejectionReason.ACCOUNT_DISABLED);
        assertThat(scene.logins.refresh(text(tokens))).isEmpty();
        scene.accounts.state = null;
        assertThat(scene.logins.refresh(text(tokens))).isEmpty();
        assertThat(scene.isAccepted(tokens)).isFalse();
    }

    @Test
    void deletedAccount_isRefused() {
        IssuedTokens tokens = scene.login();
        scene.accounts.known = false;
        assertThat(scene.logins.refresh(text(tokens))).isEmpty();
    }

    /** A database may compare names without their case. */
    @Test
    void session_isOfTheAccountWithExactlyItsId() {
        Instant end = scene.now.plusSeconds(60);
        for (String id : List.of("alice", "ALICE")) {
            scene.store.start(
                    new StoredLogin("of " + id, "accounts", id, "1", "", Set.of(), scene.now, end, end, null));
        }
        assertThat(scene.logins.isLive("of alice")).isTrue();
        assertThat(scene.logins.isLive("of ALICE")).isFalse();
        assertThat(scene.logins.isLive("of nobody")).isFalse();
    }

    @Test
    void changedPassword_isRefused() {
        IssuedTokens tokens = scene.login();
        tokens = scene.logins.refresh(text(tokens)).orElseThrow();
        scene.accounts.stamp = "another hash";
        assertThat(scene.logins.refresh(text(tokens))).isEmpty();
    }

    @Test
    void revokedSubject_isRefused_andALoginInTheSameSecondIsNot() {
        IssuedTokens before = scene.login();
        scene.plugins.revokeAll("alice", scene.now);
        IssuedTokens after = scene.login();
        assertThat(scene.logins.refresh(text(before))).isEmpty();
        IssuedTokens next = scene.logins.refresh(text(after)).orElseThrow();
        scene.now = scene.now.plusSeconds(1);
        assertThat(scene.isAccepted(next)).isTrue();
    }

    @Test
    void outage_refusesNobodyForGood() {
        IssuedTokens tokens = scene.login();
        scene.accounts.down = true;
        assertThatThrownBy(() -> scene.logins.refresh(text(tokens))).isInstanceOf(AuthUnavailableException.class);
        scene.accounts.down = false;
        assertThat(scene.logins.refresh(text(tokens))).isPresent();
    }

    @Test
    void accountThatCannotBeLookedUp_getsNoRefreshToken() {
        scene.accounts.known = false;
        IssuedTokens tokens = scene.login();
        assertThat(tokens.refresh()).isEmpty();
        assertThat(scene.isAccepted(tokens)).isTrue();
    }

    @Test
    void passwordThatChangesDuringEachCheck_givesNoRefreshToken() {
        scene.accounts.duringTheCheck = () -> scene.accounts.stamp = scene.accounts.stamp.concat(" changed");
        assertThat(scene.login().refresh()).isEmpty();
    }

    @Test
    void passwordThatChangesDuringTheFirstCheck_isCheckedOnceMore_andTheLoginCanBeProlonged() {
        scene.accounts.duringTheCheck = () -> {
            scene.accounts.stamp = "another hash";
            scene.accounts.duringTheCheck = () -> {};
        };
        assertThat(scene.logins.refresh(text(scene.login()))).isPresent();
    }

    @Test
    void store_holdsNoTokenAndNoHashOfAPassword() {
        IssuedTokens first = scene.login();
        IssuedTokens second = scene.logins.refresh(text(first)).orElseThrow();
        for (IssuedTokens tokens : List.of(first, second)) {
            RefreshToken token = tokens.refresh().orElseThrow();
            String stored = scene.store.find(token.sessionId()).orElseThrow().toString();
            assertThat(stored)
                    .doesNotContain(
                            token.text(),
                            token.text().substring(0, 21),
                            token.text().substring(22));
            assertThat(stored).doesNotContain(scene.accounts.stamp);
            assertThat(token.toString()).isEqualTo("RefreshToken[****]");
        }
    }
}
