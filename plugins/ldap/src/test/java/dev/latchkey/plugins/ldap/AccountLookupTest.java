package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The present account at a refresh, found without the password. */
class AccountLookupTest {

    private TestDirectory directory;
    private LdapAuthPlugin plugin;

    @BeforeEach
    void start() throws Exception {
        directory = TestDirectory.start();
        plugin = Plugins.of(directory.settings(), "user-filter", "(&(objectClass=person)(|(uid={0})(mail={0})))");
    }

    @AfterEach
    void stop() {
        plugin.close();
        directory.close();
    }

    private Secret stampOfLogin() {
        Authenticated login = (Authenticated) Plugins.decide(plugin, "ada@example.org", TestDirectory.PASSWORD);
        return Optional.ofNullable(login.stamp()).orElseThrow();
    }

    private Secret stampOfAccount() {
        return Optional.ofNullable(((Authenticated) ada()).stamp()).orElseThrow();
    }

    private Verdict ada() {
        return plugin.account("ada").orElseThrow();
    }

    @Test
    void loginByAnotherName_isProlongedByTheId_withTheAuthoritiesOfNow() throws Exception {
        Secret stamp = stampOfLogin();
        directory.delete("cn=admins," + TestDirectory.GROUPS);
        assertThat(stampOfAccount().matches(stamp)).isTrue();
        assertThat(ada()).isInstanceOfSatisfying(Authenticated.class, state -> {
            assertThat(state.subject().id()).isEqualTo("ada");
            assertThat(state.subject().authorities()).containsExactly("ROLE_DEVELOPERS");
        });
    }

    @Test
    void creationOfAnAccount_isThatOfItsEntry() throws Exception {
        Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        directory.person("new", TestDirectory.PASSWORD);
        assertThat(((Authenticated) plugin.account("new").orElseThrow()).created())
                .isBetween(before, Instant.now());
    }

    @Test
    void accountThatTheFilterDoesNotFindAnyMore_isNone() throws Exception {
        directory.modify(TestDirectory.ADA, "delete: objectClass", "objectClass: person");
        assertThat(plugin.account("ada")).isEmpty();
    }

    @Test
    void deletedAccount_isNone_andANewOneOfItsNameIsAnother() throws Exception {
        Secret stamp = stampOfLogin();
        directory.delete(TestDirectory.ADA);
        assertThat(plugin.account("ada")).isEmpty();
        directory.person("ada", TestDirectory.PASSWORD);
        assertThat(stampOfAccount().matches(stamp)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"pwdChangedTime, 20261122120000Z", "pwdLastSet, 134000000000000000"})
    void changedPassword_isAnotherStamp(String attribute, String value) throws Exception {
        Secret stamp = stampOfLogin();
        directory.modify(TestDirectory.ADA, "add: " + attribute, attribute + ": " + value);
        assertThat(stampOfAccount().matches(stamp)).isFalse();
    }

    @Test
    void entryWithoutAnId_andWithoutATimeOfItsPassword_hasNoStamp() {
        assertThat(SubjectReader.stampOf(new Entry(TestDirectory.ADA, new Attribute("uid", "ada"))))
                .isNull();
        assertThat(SubjectReader.stampOf(new Entry(TestDirectory.ADA, new Attribute("pwdLastSet", "1"))))
                .isNotNull();
    }

    @Test
    void switchedOffAccount_mayNotGoOn() throws Exception {
        directory.modify(TestDirectory.ADA, "add: userAccountControl", "userAccountControl: 514");
        assertThat(ada()).isEqualTo(Rejected.because(RejectionReason.ACCOUNT_DISABLED));
    }

    @Test
    void idIsAValueOfTheFilter_andNothingElse() {
        assertThat(plugin.account("*")).isEmpty();
        assertThat(plugin.account("ada)(uid=*")).isEmpty();
    }

    /** Plugins' clock stands at 2026-11-22T12:00:00Z; Windows counts from 1601, in units of 100 nanoseconds. */
    @ParameterizedTest
    @CsvSource({
        "userAccountControl, 512, ",
        "userAccountControl, 514, ACCOUNT_DISABLED",
        "nsAccountLock, true, ACCOUNT_DISABLED",
        "nsAccountLock, false, ",
        "loginDisabled, TRUE, ACCOUNT_DISABLED",
        "msDS-User-Account-Control-Computed, 16, ACCOUNT_LOCKED",
        "msDS-User-Account-Control-Computed, 8388608, CREDENTIALS_EXPIRED",
        "pwdAccountLockedTime, 000001010000Z, ACCOUNT_LOCKED",
        "pwdAccountLockedTime, 20261122115900Z, ",
        "pwdReset, TRUE, CREDENTIALS_EXPIRED",
        "pwdLastSet, 0, CREDENTIALS_EXPIRED",
        "pwdLastSet, 134000000000000000, ",
        "accountExpires, 0, ",
        "accountExpires, 9223372036854775807, ",
        "accountExpires, 134398224000000000, ACCOUNT_EXPIRED",
        "accountExpires, 134398224010000000, ",
        "shadowExpire, 20779, ACCOUNT_EXPIRED",
        "shadowExpire, 20780, ",
        "shadowExpire, -1, ",
        "shadowExpire, no number, ",
        "pwdEndTime, 20261122120000Z, ACCOUNT_EXPIRED",
        "pwdEndTime, 20261122120001Z, ",
        "pwdEndTime, no time, "
    })
    void stateOfAnEntry_isThatOfTheMoment(String attribute, String value, RejectionReason reason) throws Exception {
        Entry entry = new Entry(TestDirectory.ADA);
        entry.addAttribute(attribute, value);
        assertThat(AccountState.of(entry, Plugins.NOW).map(Rejected::reason)).isEqualTo(Optional.ofNullable(reason));
    }
}
