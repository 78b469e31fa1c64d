package dev.latchkey.auth.spring.login;

import static dev.latchkey.auth.spring.login.RefreshScene.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.login.RefreshScene.Accounts;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two plugins know an account of one name: a login is its plugin's own, and never becomes the other one's. */
class LoginsOfPluginsTest {

    private final Accounts directory = new Accounts("directory");
    private final RefreshScene scene = new RefreshScene(directory);

    LoginsOfPluginsTest() {
        scene.accounts.authorities = Set.of("ROLE_ADMIN");
    }

    @Test
    void loginOfAPluginThatCannotLookAccountsUp_isNotProlongedAsAnotherPluginsAccount() {
        directory.known = false;
        IssuedTokens tokens = scene.login();
        assertThat(scene.subjectOf(tokens).authorities()).containsExactly("ROLE_USER");
        assertThat(tokens.refresh()).isEmpty();
    }

    @Test
    void refresh_asksThePluginThatDecided_andNotTheFirstThatKnowsTheName() {
        directory.decides = false;
        directory.authorities = Set.of("ROLE_OTHER");
        IssuedTokens tokens = scene.login();
        assertThat(scene.subjectOf(tokens).authorities()).containsExactly("ROLE_ADMIN");
        IssuedTokens next = scene.logins.refresh(text(tokens)).orElseThrow();
        assertThat(scene.subjectOf(next).authorities()).containsExactly("ROLE_ADMIN");
    }

    @Test
    void accountThatItsPluginForgets_isRefused_thoughAnotherPluginHasOneOfTheName() {
        IssuedTokens tokens = scene.login();
        directory.known = false;
        assertThat(scene.logins.refresh(text(tokens))).isEmpty();
        assertThat(scene.isAccepted(tokens)).isFalse();
    }

    @Test
    void accountThatIsDisabledInItsPlugin_isRefused_thoughAnotherPluginHasOneOfTheName() {
        IssuedTokens tokens = scene.login();
        directory.state = Rejected.because(RejectionReason.ACCOUNT_DISABLED);
        assertThat(scene.logins.refresh(text(tokens))).isEmpty();
    }

    @Test
    void pluginThatIsGone_refusesItsLogins_thoughAnotherPluginHasAnAccountOfTheName() {
        IssuedTokens tokens = scene.login();
        assertThat(scene.loginsWith(AuthChain.of(scene.accounts)).refresh(text(tokens)))
                .isEmpty();
    }

    @Test
    void revocationOfASubject_endsItsSessions_andNoSessionOfAnotherPluginsAccountOfThatName() {
        IssuedTokens ofTheDirectory = scene.login();
        directory.decides = false;
        IssuedTokens local = scene.login();
        scene.plugins.revokeAll("alice", scene.now);
        assertThat(scene.isAccepted(ofTheDirectory)).isFalse();
        assertThat(scene.isAccepted(local)).isTrue();
        assertThat(scene.logins.refresh(text(ofTheDirectory))).isEmpty();
        assertThat(scene.logins.refresh(text(local))).isPresent();
    }
}
