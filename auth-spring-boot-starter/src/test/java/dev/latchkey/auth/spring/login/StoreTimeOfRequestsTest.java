package dev.latchkey.auth.spring.login;

import static dev.latchkey.auth.spring.login.RefreshScene.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.login.TokenRevocation.Outcome;
import dev.latchkey.auth.store.StoreTime;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** All store calls of a request share one time: each call has the rest of the earlier calls. */
class StoreTimeOfRequestsTest {

    private final RefreshScene scene = new RefreshScene(List.of("latchkey.login.max-per-account=2"));

    @Test
    void login_hasOneTime() throws Exception {
        scene.login();
        scene.login();
        scene.given.clear();
        request(scene::login);
        // The bound, the new session, the account's sessions and bound, and the displaced session with its tokens.
        assertOneTime(6);
    }

    @Test
    void refresh_hasOneTime() throws Exception {
        String token = text(scene.login());
        scene.given.clear();
        request(() -> scene.logins.refresh(token));
        // It reads, asks whether account and login are revoked, and writes.
        assertOneTime(4);
    }

    @Test
    void refreshThatComesTwice_hasOneTime() throws Exception {
        String token = text(scene.login());
        scene.logins.refresh(token);
        scene.now = scene.now.plusSeconds(60);
        scene.given.clear();
        request(() -> scene.logins.refresh(token));
        assertOneTime(3);
    }

    @Test
    void logout_hasOneTime() throws Exception {
        IssuedTokens tokens = scene.login();
        scene.given.clear();
        // The service's own record, the plugin's question, and the two records of the session's end.
        request(() -> logOut(tokens.access().value()));
        assertOneTime(4);
        String refresh = text(scene.login());
        scene.given.clear();
        request(() -> logOut(refresh));
        assertOneTime(3);
    }

    @Test
    void checkOfTheToken_andTheWorkAfterIt_haveOneTime() throws Exception {
        IssuedTokens tokens = scene.login();
        scene.given.clear();
        request(() -> scene.isAccepted(tokens)
                && scene.logins.refresh(text(tokens)).isPresent()
                && scene.login().refresh().isPresent()
                && logOut(tokens.access().value()));
        assertOneTime(15);
    }

    @Test
    void requestsHaveATimeEach() throws Exception {
        IssuedTokens tokens = scene.login();
        scene.given.clear();
        request(() -> scene.isAccepted(tokens));
        request(() -> scene.isAccepted(tokens));
        assertThat(scene.given)
                .filteredOn(StoreTime.OF_A_REQUEST::equals)
                .as("the first call of each request")
                .hasSize(2);
    }

    @Test
    void listOfLogins_hasOneTime_whatIsEndedFromItToo() throws Exception {
        IssuedTokens tokens = scene.login();
        OwnLogins own = new OwnLogins(scene.accessTokens::read, scene.account);
        scene.given.clear();
        boolean isEnded = request(() -> {
            OwnLogins.Bearer bearer = own.bearerOf(tokens.access().value()).orElseThrow();
            return bearer.end(bearer.logins().get(0).id());
        });
        assertThat(isEnded).isTrue();
        assertOneTime(8);
    }

    private boolean logOut(String token) {
        return scene.revocation.revoke(token) == Outcome.DONE;
    }

    /** Does the work as behind the filter before Spring Security's. */
    private static <T> T request(Callable<T> work) throws Exception {
        return CurrentRequest.with(RequestContext.none(), CurrentLogin.NONE).call(work);
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
