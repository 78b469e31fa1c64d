package dev.latchkey.auth.spring.login;

import static dev.latchkey.auth.spring.login.RefreshScene.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.store.StoreTime;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the stores may take of a request is one time for all their calls: each has what the ones before have left. */
class StoreTimeOfRequestsTest {

    private final RefreshScene scene = new RefreshScene(List.of("latchkey.login.max-per-account=2"));

    @Test
    void login_hasOneTime() {
        scene.login();
        scene.login();
        scene.given.clear();
        scene.login();
        // Its bound, the new login, the account's logins and their bound, and the one that is displaced, with its
        // tokens.
        assertOneTime(6);
    }

    @Test
    void refresh_hasOneTime() {
        String token = text(scene.login());
        scene.given.clear();
        scene.logins.refresh(token);
        // It reads, asks whether account and login are revoked, and writes.
        assertOneTime(4);
    }

    @Test
    void refreshThatComesTwice_hasOneTime() {
        String token = text(scene.login());
        scene.logins.refresh(token);
        scene.now = scene.now.plusSeconds(60);
        scene.given.clear();
        scene.logins.refresh(token);
        assertOneTime(3);
    }

    @Test
    void logout_hasOneTime() {
        IssuedTokens tokens = scene.login();
        scene.given.clear();
        scene.revocation.revoke(tokens.access().value());
        assertOneTime(3);
        String refresh = text(scene.login());
        scene.given.clear();
        scene.revocation.revoke(refresh);
        assertOneTime(3);
    }

    @Test
    void listOfLogins_hasOneTime_whatIsEndedFromItToo() {
        IssuedTokens tokens = scene.login();
        OwnLogins own = new OwnLogins(scene.verifier, scene.revocations, scene.account);
        scene.given.clear();
        OwnLogins.Bearer bearer = own.bearerOf(tokens.access().value()).orElseThrow();
        String id = bearer.logins().get(0).id();
        assertThat(bearer.end(id)).isTrue();
        assertOneTime(8);
    }

    private void assertOneTime(int calls) {
        assertThat(scene.given)
                .hasSizeGreaterThanOrEqualTo(calls)
                .isSortedAccordingTo(Comparator.reverseOrder())
                .doesNotHaveDuplicates()
                .first()
                .isEqualTo(StoreTime.OF_A_REQUEST);
    }
}
