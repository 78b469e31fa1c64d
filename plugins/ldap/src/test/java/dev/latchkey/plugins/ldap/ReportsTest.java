package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.PluginHost;
import dev.latchkey.auth.factory.PluginEnvironment;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The plugin's own events for the service's meters and health. */
class ReportsTest {

    private final List<AuthEvent> heard = new CopyOnWriteArrayList<>();

    private AuthPlugin plugin(Map<String, String> settings, String... changes) {
        PluginEnvironment environment = Plugins.config(settings, changes)
                .environment("ldap", LdapSettings.ALL, new PluginHost(InstantSource.system(), List.of(heard::add)));
        return new LdapPluginFactory().create(environment);
    }

    @Test
    void directoryThatIsDownAtTheStart_isCounted_andAnOutage() throws Exception {
        Map<String, String> settings = Map.of(
                "urls", "ldap://127.0.0.1:1", "encryption", "none", "timeout", "200ms", "base-dn", "dc=example,dc=org");
        try (AuthPlugin plugin = plugin(settings)) {
            assertThat(heard)
                    .contains(
                            new AuthEvent.Counted(plugin.name(), "server_failed"),
                            new AuthEvent.OutageReported(plugin.name()));
        }
    }

    /** The other servers have the same accounts, and would count another wrong password each. */
    @Test
    void wrongPasswordOfTheService_isTriedAtOneServer() throws Exception {
        try (TestDirectory directory = TestDirectory.start()) {
            String url = "ldap://127.0.0.1:" + directory.port();
            try (AuthPlugin plugin =
                    plugin(directory.settings(), "urls", url + "," + url, "bind-password", "Wrong-Secret-1")) {
                assertThat(heard)
                        .containsExactly(
                                new AuthEvent.Counted(plugin.name(), "server_failed"),
                                new AuthEvent.OutageReported(plugin.name()));
            }
        }
    }

    @Test
    void startOfPatternedAccounts_looksForTheEntryAboveThem() throws Exception {
        try (TestDirectory directory = TestDirectory.start();
                AuthPlugin good = plugin(
                        directory.settings(), "base-dn", "", "user-dn-pattern", "uid={0}," + TestDirectory.PEOPLE)) {
            assertThat(good.name()).isEqualTo("ldap");
            assertThat(heard).isEmpty();
            try (AuthPlugin bad = plugin(
                    directory.settings(),
                    "base-dn",
                    "",
                    "user-dn-pattern",
                    "uid={0},ou=nowhere," + TestDirectory.BASE)) {
                assertThat(heard).containsExactly(new AuthEvent.OutageReported(bad.name()));
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
            try (AuthPlugin up = plugin(settings, bindOnly)) {
                assertThat(up.name()).isEqualTo("ldap");
                assertThat(heard).isEmpty();
            }
            directory.stop();
            try (AuthPlugin down = plugin(settings, bindOnly)) {
                assertThat(heard).contains(new AuthEvent.OutageReported(down.name()));
            }
        }
    }

    @Test
    void directoryThatAnswers_isNoEvent() throws Exception {
        try (TestDirectory directory = TestDirectory.start();
                AuthPlugin plugin = plugin(directory.settings())) {
            assertThat(plugin.name()).isEqualTo("ldap");
            assertThat(heard).isEmpty();
        }
    }
}
