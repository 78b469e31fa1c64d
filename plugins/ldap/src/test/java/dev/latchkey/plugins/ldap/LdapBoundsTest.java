package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.sdk.Entry;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Subject;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The longest names, passwords and groups, and what is asked of the directory beyond these bounds: nothing. */
class LdapBoundsTest {

    private TestDirectory directory;
    private LdapAuthPlugin plugin;

    @BeforeEach
    void start() throws Exception {
        directory = TestDirectory.start();
        plugin = Plugins.of(directory.settings());
    }

    @AfterEach
    void stop() {
        plugin.close();
        directory.close();
    }

    private Decision decide(String name, String password) {
        return Plugins.decide(plugin, name, password);
    }

    private void assertNothingIsAsked() {
        assertThat(directory.searches()).isEmpty();
        assertThat(directory.bindsOfPeople()).isEmpty();
    }

    @Test
    void longestName_isLookedUp() {
        assertThat(decide("n".repeat(255), "any")).isSameAs(Decision.abstained());
        assertThat(directory.searches()).hasSize(1);
        plugin.unrecognized(Plugins.login("n".repeat(255), "any"));
        assertThat(directory.bindsOfPeople()).hasSize(1);
        assertThat(plugin.account("n".repeat(255))).isEmpty();
        assertThat(directory.searches()).hasSize(2);
    }

    private static String[] namesOfNobody() {
        return new String[] {"n".repeat(256), " ", "", "a\nb", "a\ud800"};
    }

    @Test
    void nameThatNoDirectoryHas_isForTheNextPlugin_andAsksNothing() {
        for (String name : namesOfNobody()) {
            assertThat(decide(name, "any")).isSameAs(Decision.abstained());
            assertThat(plugin.account(name)).isEmpty();
            plugin.unrecognized(Plugins.login(name, "any"));
        }
        assertNothingIsAsked();
    }

    @Test
    void longestPassword_isTried_andALongerOneIsNot() throws Exception {
        String longest = "p".repeat(1_024);
        directory.person("alan", longest);
        assertThat(decide("alan", longest)).isInstanceOf(Authenticated.class);
        int asked = directory.searches().size();
        assertThat(decide("alan", longest + "p"))
                .isEqualTo(Rejected.because(RejectionReason.MALFORMED).withDetail("too_long"));
        assertThat(directory.searches()).hasSize(asked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\0", "\0a"})
    void unknownNameWithAPasswordThatIsNone_costsNoBind(String password) {
        plugin.unrecognized(Plugins.login("nobody", password));
        assertNothingIsAsked();
    }

    @Test
    void closedPlugin_asksNothing() {
        plugin.close();
        assertThat(decide("ada", TestDirectory.PASSWORD)).isEqualTo(Rejected.because(RejectionReason.NOT_RECOGNIZED));
        assertThat(plugin.account("ada")).isEmpty();
        plugin.unrecognized(Plugins.login("nobody", "any"));
        assertNothingIsAsked();
    }

    @Test
    void thousandGroups_areTaken() throws Exception {
        directory.person("alan", "Enigma-Machine-1");
        for (int i = 0; i < 1_000; i++) {
            directory.group("g" + i, "uid=alan," + TestDirectory.PEOPLE);
        }
        Subject alan = ((Authenticated) decide("alan", "Enigma-Machine-1")).subject();
        assertThat(alan.authorities()).hasSize(1_000).contains("ROLE_G0", "ROLE_G999");
    }

    @Test
    void thousandGroupsInTheEntry_areTaken_andMoreAreNoLogin() throws Exception {
        String[] groups = new String[1_001];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = "memberOf: cn=g" + i;
        }
        directory.person("alan", "Enigma-Machine-1", java.util.Arrays.copyOf(groups, 1_000));
        directory.person("alonzo", "Lambda-Calculus-1", groups);
        try (LdapAuthPlugin byEntry =
                Plugins.of(directory.settings(), "group-base-dn", "", "member-of-attribute", "memberOf")) {
            Authenticated alan = (Authenticated) Plugins.decide(byEntry, "alan", "Enigma-Machine-1");
            assertThat(alan.subject().authorities()).hasSize(1_000);
            assertThatThrownBy(() -> Plugins.decide(byEntry, "alonzo", "Lambda-Calculus-1"))
                    .isInstanceOf(AuthUnavailableException.class);
        }
    }

    @Test
    void idThatIsBlank_orHasControlCharacters_isNone() throws Exception {
        directory.person("alan", "Enigma-Machine-1", "employeeNumber:: IA==");
        directory.person("alonzo", "Lambda-Calculus-1", "employeeNumber:: YQph");
        try (LdapAuthPlugin byNumber =
                Plugins.of(directory.settings(), "id-attribute", "employeeNumber", "user-filter", "(uid={0})")) {
            Rejected noId = Rejected.because(RejectionReason.UNKNOWN_ACCOUNT).withDetail("no_id");
            assertThat(Plugins.decide(byNumber, "alan", "Enigma-Machine-1")).isEqualTo(noId);
            assertThat(Plugins.decide(byNumber, "alonzo", "Lambda-Calculus-1")).isEqualTo(noId);
        }
    }

    @Test
    void closedPlugin_keepsNoConnectionOpen() throws Exception {
        try (FaultyServer server = new FaultyServer(FaultyServer.Fault.SEARCH_RESULT_IS_A_REFERRAL)) {
            LdapAuthPlugin other = Plugins.of(server.settings());
            assertThatThrownBy(() -> Plugins.decide(other, "ada", TestDirectory.PASSWORD))
                    .isInstanceOf(AuthUnavailableException.class);
            other.unrecognized(Plugins.login("nobody", "any"));
            assertThat(server.accepted()).as("for searches, and for passwords").isEqualTo(2);
            other.close();
            server.awaitAllLeft();
        }
    }

    @Test
    void oneConnection_isEnoughForOneLoginAfterTheOther() {
        try (LdapAuthPlugin single = Plugins.of(directory.settings(), "max-connections", "1")) {
            for (int i = 0; i < 3; i++) {
                assertThat(Plugins.decide(single, "ada", TestDirectory.PASSWORD))
                        .isInstanceOf(Authenticated.class);
                assertThat(single.account("ada")).isPresent();
            }
        }
    }

    @Test
    void longestId_isTaken_andOtherTextIsNone() throws Exception {
        directory.person("alan", "Enigma-Machine-1", "employeeNumber: " + "i".repeat(255));
        directory.person("alonzo", "Lambda-Calculus-1", "employeeNumber: " + "i".repeat(256));
        directory.person("kurt", "Incomplete-1");
        try (LdapAuthPlugin byNumber =
                Plugins.of(directory.settings(), "id-attribute", "employeeNumber", "user-filter", "(uid={0})")) {
            Authenticated alan = (Authenticated) Plugins.decide(byNumber, "alan", "Enigma-Machine-1");
            assertThat(alan.subject().id()).hasSize(255);
            Rejected noId = Rejected.because(RejectionReason.UNKNOWN_ACCOUNT).withDetail("no_id");
            assertThat(Plugins.decide(byNumber, "alonzo", "Lambda-Calculus-1")).isEqualTo(noId);
            assertThat(Plugins.decide(byNumber, "kurt", "Incomplete-1")).isEqualTo(noId);
        }
    }

    /** Windows counts from 1601, and days count from 1970. */
    @ParameterizedTest
    @CsvSource({
        "accountExpires, 1, ACCOUNT_EXPIRED",
        "accountExpires, -1, ",
        "shadowExpire, 1, ACCOUNT_EXPIRED",
        "shadowExpire, 0, ",
        "shadowExpire, 2147483647, ",
        "userAccountControl, 16, ",
        "userAccountControl, 8388608, ",
        "msDS-User-Account-Control-Computed, 2, ACCOUNT_DISABLED",
        "pwdLastSet, 1, ",
        "pwdReset, FALSE, ",
        "loginDisabled, FALSE, "
    })
    void stateOfAnEntry_atItsBounds(String attribute, String value, RejectionReason reason) throws Exception {
        Entry entry = new Entry(TestDirectory.ADA);
        entry.addAttribute(attribute, value);
        assertThat(AccountState.of(entry, Plugins.NOW).map(Rejected::reason)).isEqualTo(Optional.ofNullable(reason));
    }
}
