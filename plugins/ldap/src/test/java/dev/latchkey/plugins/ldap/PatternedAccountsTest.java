package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.sdk.ResultCode;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Accounts whose DNs a pattern names, with an account of the service and without. */
class PatternedAccountsTest {

    private TestDirectory directory;
    private LdapAuthPlugin withService;
    private LdapAuthPlugin withoutService;

    @BeforeEach
    void start() throws Exception {
        directory = TestDirectory.start();
        Map<String, String> settings = new TreeMap<>(directory.settings());
        settings.remove("base-dn");
        settings.put("user-dn-pattern", "uid={0}," + TestDirectory.PEOPLE);
        withService = Plugins.of(settings);
        withoutService = Plugins.of(settings, "bind-dn", "", "bind-password", "");
    }

    @AfterEach
    void stop() {
        withService.close();
        withoutService.close();
        directory.close();
    }

    @Test
    void unknownName_costsABindThatFails_besideTheAccounts() {
        withService.unrecognized(Plugins.login("nobody", "any-password"));
        assertThat(directory.bindsOfPeople()).singleElement().asString().endsWith("," + TestDirectory.PEOPLE);
    }

    /** The bind of the unknown name itself took this time already. */
    @Test
    void unknownName_costsNoFurtherBind_withoutAnAccountOfTheService() {
        withoutService.unrecognized(Plugins.login("nobody", "any-password"));
        assertThat(directory.bindsOfPeople()).isEmpty();
    }

    @Test
    void accountThatMayNotReadItself_hasNoId() {
        directory.failSearches(ResultCode.NO_SUCH_OBJECT);
        assertThat(Plugins.decide(withoutService, "ada", TestDirectory.PASSWORD))
                .isEqualTo(Rejected.because(RejectionReason.UNKNOWN_ACCOUNT).withDetail("no_id"));
    }

    @Test
    void directoryThatIsBusy_isAnOutage_andNoUnknownName() {
        directory.failSearches(ResultCode.BUSY);
        assertThatThrownBy(() -> Plugins.decide(withService, "ada", TestDirectory.PASSWORD))
                .isInstanceOf(AuthUnavailableException.class);
        assertThatThrownBy(() -> Plugins.decide(withoutService, "ada", TestDirectory.PASSWORD))
                .isInstanceOf(AuthUnavailableException.class);
        assertThatThrownBy(() -> withService.account("ada")).isInstanceOf(AuthUnavailableException.class);
    }

    @Test
    void accountFoundByItsPattern_hasAStamp_andItsGroups() {
        assertThat(withService.account("ada")).get().isInstanceOfSatisfying(Authenticated.class, ada -> {
            assertThat(ada.subject().id()).isEqualTo("ada");
            assertThat(ada.subject().authorities()).containsExactlyInAnyOrder("ROLE_DEVELOPERS", "ROLE_ADMINS");
            assertThat(ada.stamp()).isNotNull();
        });
    }
}
