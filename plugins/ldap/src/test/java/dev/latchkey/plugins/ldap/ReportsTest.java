package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.PluginDirectory;
import dev.latchkey.auth.engine.PluginHost;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The plugin's own events for the service's meters and health. */
class ReportsTest {

    private final List<AuthEvent> heard = new CopyOnWriteArrayList<>();

    private AuthChain chain(Map<String, String> settings, String... changes) {
        return PluginDirectory.empty()
                .add(new LdapPluginFactory())
                .select(
                        List.of("ldap"),
                        name -> Plugins.config(settings, changes),
                        new PluginHost(InstantSource.system(), List.of(heard::add)));
    }

    @Test
    void directoryThatIsDownAtTheStart_isCounted_andAnOutage() throws Exception {
        Map<String, String> settings = Map.of(
                "urls", "ldap://127.0.0.1:1", "encryption", "none", "timeout", "200ms", "base-dn", "dc=example,dc=org");
        try (AuthChain chain = chain(settings)) {
            assertThat(heard).contains(new AuthEvent.Counted("ldap", "server_failed"));
            assertThat(chain.pluginsDown()).containsExactly("ldap");
        }
    }

    /** The other servers have the same accounts, and would count another wrong password each. */
    @Test
    void wrongPasswordOfTheService_isTriedAtOneServer() throws Exception {
        try (TestDirectory directory = TestDirectory.start()) {
            String url = "ldap://127.0.0.1:" + directory.port();
            try (AuthChain chain =
                    chain(directory.settings(), "urls", url + "," + url, "bind-password", "Wrong-Secret-1")) {
                assertThat(heard).containsExactly(new AuthEvent.Counted("ldap", "server_failed"));
                assertThat(chain.pluginsDown()).containsExactly("ldap");
            }
        }
    }

    @Test
    void startOfPatternedAccounts_looksForTheEntryAboveThem() throws Exception {
        try (TestDirectory directory = TestDirectory.start();
                AuthChain good = chain(
                        directory.settings(), "base-dn", "", "user-dn-pattern", "uid={0}," + TestDirectory.PEOPLE)) {
            assertThat(good.pluginsDown()).isEmpty();
            assertThat(heard).isEmpty();
            try (AuthChain bad = chain(
                    directory.settings(),
                    "base-dn",
                    "",
                    "user-dn-pattern",
                    "uid={0},ou=nowhere," + TestDirectory.BASE)) {
                assertThat(heard).isEmpty();
                assertThat(bad.pluginsDown()).containsExactly("ldap");
            }
        }
    }

    @Test
    void startWithoutAnAccountOfTheService_asksWhetherTheServerIsThere() throws Exception {
        String[] bindOnly = {
            "base-dn", "", "bind-dn", "", "bind-password", "", "user-dn-pattern", "uid={0}," + TestDirectory.PEOPLE
        };
        try (TestDirectory directory = TestDirectory.start()) {
            Map<String, String> settings = directory.settings();
            try (AuthChain up = chain(settings, bindOnly)) {
                assertThat(up.pluginsDown()).isEmpty();
                assertThat(heard).isEmpty();
            }
            directory.stop();
            try (AuthChain down = chain(settings, bindOnly)) {
                assertThat(down.pluginsDown()).containsExactly("ldap");
            }
        }
    }

    @Test
    void directoryThatAnswers_isNoEvent() throws Exception {
        try (TestDirectory directory = TestDirectory.start();
                AuthChain chain = chain(directory.settings())) {
            assertThat(chain.pluginsDown()).isEmpty();
            assertThat(heard).isEmpty();
        }
    }
}
