package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.unboundid.asn1.ASN1Element;
import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.ResultCode;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The accounts found and admitted, their subjects and their authorities. */
class LdapAuthPluginTest {

    private static final String PASSWORD_POLICY = "1.3.6.1.4.1.42.2.27.8.5.1";
    private static final byte ERROR = (byte) 0x81;

    private TestDirectory directory;

    @BeforeEach
    void start() throws Exception {
        directory = TestDirectory.start();
    }

    @AfterEach
    void stop() {
        directory.close();
    }

    private Decision decide(String name, String password, String... changes) {
        try (LdapAuthPlugin plugin = Plugins.of(directory.settings(), changes)) {
            return Plugins.decide(plugin, name, password);
        }
    }

    private Subject subject(String name, String password, String... changes) {
        return assertThat(decide(name, password, changes))
                .asInstanceOf(type(Authenticated.class))
                .actual()
                .subject();
    }

    private static Decision refused(RejectionReason reason) {
        return Rejected.because(reason);
    }

    @Test
    void account_isTheSubject_withItsGroupsAndClaims() {
        Subject ada = subject("ada", TestDirectory.PASSWORD);
        assertThat(ada.id()).isEqualTo("ada");
        assertThat(ada.authorities()).containsExactlyInAnyOrder("ROLE_DEVELOPERS", "ROLE_ADMINS");
        assertThat(ada.claims().get("name")).isEqualTo("Ada Lovelace");
        assertThat(ada.claims().get("email")).isEqualTo(List.of("ada@example.org", "countess@example.org"));
    }

    @Test
    void authorities_areSpelledAsConfigured() {
        Subject ada = subject(
                "ada",
                TestDirectory.PASSWORD,
                "authority-prefix",
                "none",
                "authority-case",
                "kept",
                "authorities",
                "ROLE_USER, staff");
        assertThat(ada.authorities()).containsExactlyInAnyOrder("developers", "admins", "ROLE_USER", "staff");
    }

    @Test
    void groups_areReadFromTheAccount_whereItNamesThem() throws Exception {
        directory.person(
                "alan", "Enigma-Machine-1", "memberOf: CN=Code\\, Breakers,OU=Groups,DC=corp", "memberOf: not a DN");
        Subject alan = subject("alan", "Enigma-Machine-1", "group-base-dn", "", "member-of-attribute", "memberOf");
        assertThat(alan.authorities()).containsExactlyInAnyOrder("ROLE_CODE, BREAKERS", "ROLE_NOT A DN");
    }

    @Test
    void accountThatNamesNoGroups_hasNoAuthorities() {
        Subject ada = subject("ada", TestDirectory.PASSWORD, "group-base-dn", "", "member-of-attribute", "memberOf");
        assertThat(ada.authorities()).isEmpty();
    }

    @Test
    void groupWithoutAName_isNoAuthority() throws Exception {
        directory.add(
                "cn=blank," + TestDirectory.GROUPS, "cn: blank", "description:: IA==", "member: " + TestDirectory.ADA);
        directory.add(
                "cn=named," + TestDirectory.GROUPS, "cn: named", "description: staff", "member: " + TestDirectory.ADA);
        Subject ada = subject("ada", TestDirectory.PASSWORD, "group-name-attribute", "description");
        assertThat(ada.authorities()).containsExactly("ROLE_STAFF");
    }

    @Test
    void groupFilter_knowsTheDnAndTheId() throws Exception {
        directory.add("cn=posix," + TestDirectory.GROUPS, "memberUid: ada", "cn: posix");
        Subject ada =
                subject("ada", TestDirectory.PASSWORD, "group-filter", "(|(memberUid={1})(&(cn=admins)(member={0})))");
        assertThat(ada.authorities()).containsExactlyInAnyOrder("ROLE_POSIX", "ROLE_ADMINS");
    }

    @Test
    void nameIsTheDirectorys_whateverSpellingWasSent() {
        assertThat(subject("ADA", TestDirectory.PASSWORD).id()).isEqualTo("ada");
    }

    @Test
    void nameThatNobodyHas_isForTheNextPlugin_andCostsABind() {
        try (LdapAuthPlugin plugin = Plugins.of(directory.settings())) {
            assertThat(Plugins.decide(plugin, "nobody", "any-password")).isSameAs(Decision.abstained());
            plugin.unrecognized(new PasswordCredentials("nobody", Secret.of("any-password")));
            assertThat(directory.bindsOfPeople()).singleElement().asString().endsWith(TestDirectory.PEOPLE);
        }
    }

    @Test
    void nameOfSeveralEntries_isRefused_andNoneOfThemIsTried_butABindFails() throws Exception {
        directory.add("cn=second," + TestDirectory.PEOPLE, "uid: ada", "userPassword: " + TestDirectory.PASSWORD);
        assertThat(decide("ada", TestDirectory.PASSWORD))
                .isEqualTo(refused(RejectionReason.UNKNOWN_ACCOUNT, "several_entries"));
        assertThat(directory.bindsOfPeople()).hasSize(1).doesNotContain(TestDirectory.ADA);
    }

    /** The search asks for two, and the directory answers that there are more. */
    @Test
    void nameOfThreeEntries_isRefusedAsTheNameOfTwo() throws Exception {
        directory.add("cn=second," + TestDirectory.PEOPLE, "uid: ada");
        directory.add("cn=third," + TestDirectory.PEOPLE, "uid: ada");
        assertThat(decide("ada", TestDirectory.PASSWORD))
                .isEqualTo(refused(RejectionReason.UNKNOWN_ACCOUNT, "several_entries"));
    }

    private static Decision refused(RejectionReason reason, String detail) {
        return Rejected.because(reason).withDetail(detail);
    }

    @Test
    void accountWithSeveralIds_isRefused() throws Exception {
        directory.modify(TestDirectory.ADA, "add: employeeNumber", "employeeNumber: 1", "employeeNumber: 2");
        assertThat(decide("ada", TestDirectory.PASSWORD, "id-attribute", "employeeNumber", "user-filter", "(uid={0})"))
                .isEqualTo(refused(RejectionReason.UNKNOWN_ACCOUNT, "no_id"));
    }

    @Test
    void emptyPassword_isRefusedBeforeTheDirectoryIsAsked() {
        assertThat(decide("ada", "")).isEqualTo(refused(RejectionReason.BAD_CREDENTIALS, "empty_password"));
        assertThat(directory.searches()).isEmpty();
        assertThat(directory.bindsOfPeople()).isEmpty();
    }

    @Test
    void passwordWithANul_isRefusedBeforeTheDirectoryIsAsked() {
        assertThat(decide("ada", TestDirectory.PASSWORD + "\0")).isEqualTo(refused(RejectionReason.MALFORMED, "nul"));
        assertThat(directory.bindsOfPeople()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "a*",
                "ada)(uid=*",
                "ada)(|(uid=*",
                "*)(uid=*))(|(uid=*",
                "\\2a",
                "(",
                "ada\\",
                "{0}",
                "{1}",
                "ada{0}"
            })
    void nameIsAValueOfTheFilter_andNothingElse(String name) {
        assertThat(decide(name, TestDirectory.PASSWORD)).isSameAs(Decision.abstained());
        assertThat(decide(name, TestDirectory.PASSWORD, "user-filter", "(|(uid={0})(mail={0}))"))
                .isSameAs(Decision.abstained());
    }

    @Test
    void nameWithEveryBracket_isFoundIfAnAccountHasIt() throws Exception {
        String name = "o'neil (ops)*, \"x\"=\\#;<>+";
        directory.add(
                "cn=ops," + TestDirectory.PEOPLE, "uid: " + name, "userPassword: " + TestDirectory.OTHER_PASSWORD);
        assertThat(subject(name, TestDirectory.OTHER_PASSWORD).id()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada,ou=people",
                "x+uid=ada",
                "ada,",
                "\\ada",
                " ada,ou=people,dc=example,dc=org",
                "\"ada\"",
                "#616461"
            })
    void nameIsAValueOfTheDn_andNothingElse(String name) {
        try (LdapAuthPlugin plugin = Plugins.of(bindOnly())) {
            assertThat(Plugins.decide(plugin, name, TestDirectory.PASSWORD)).isInstanceOf(Rejected.class);
            assertThat(directory.bindsOfPeople()).doesNotContain(TestDirectory.ADA);
        }
    }

    private Map<String, String> bindOnly() {
        return Map.of(
                "urls",
                "ldap://127.0.0.1:" + directory.port(),
                "encryption",
                "none",
                "user-dn-pattern",
                "uid={0}," + TestDirectory.PEOPLE,
                "group-base-dn",
                TestDirectory.GROUPS);
    }

    @Test
    void withoutAnAccountOfTheService_theAccountReadsItself_andItsLoginCannotBeProlonged() {
        try (LdapAuthPlugin plugin = Plugins.of(bindOnly())) {
            assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD))
                    .asInstanceOf(type(Authenticated.class))
                    .satisfies(login -> {
                        assertThat(login.subject().id()).isEqualTo("ada");
                        assertThat(login.subject().authorities()).contains("ROLE_ADMINS");
                        assertThat(login.stamp()).isNull();
                    });
            assertThat(plugin.account("ada")).isEmpty();
        }
    }

    @Test
    void patternWithAnAccountOfTheService_isFoundFirst() {
        try (LdapAuthPlugin plugin = Plugins.of(
                bindOnly(), "bind-dn", TestDirectory.SERVICE, "bind-password", TestDirectory.SERVICE_PASSWORD)) {
            assertThat(Plugins.decide(plugin, "nobody", "any-password")).isSameAs(Decision.abstained());
            assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
            assertThat(plugin.account("ada")).isPresent();
            assertThat(plugin.account("nobody")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, CREDENTIALS_EXPIRED, ''", "1, ACCOUNT_LOCKED, ''", "2, CREDENTIALS_EXPIRED, must_change"})
    void controlOfThePasswordPolicy_saysWhy(byte error, RejectionReason reason, String detail) {
        directory.answer(TestDirectory.ADA, ResultCode.INVALID_CREDENTIALS, "", policyError(error));
        assertThat(decide("ada", TestDirectory.PASSWORD)).isEqualTo(refused(reason, detail));
    }

    /** The bind succeeds, and the directory lets the account do nothing but change its password. */
    @Test
    void passwordThatMustBeChanged_isNoLogin_thoughTheBindSucceeds() {
        directory.answer(TestDirectory.ADA, ResultCode.SUCCESS, "", policyError((byte) 2));
        assertThat(decide("ada", TestDirectory.PASSWORD))
                .isEqualTo(refused(RejectionReason.CREDENTIALS_EXPIRED, "must_change"));
    }

    @Test
    void policyErrorAboutOtherThings_andControlThatCannotBeRead_areAWrongPassword() {
        Control unreadable = new Control(PASSWORD_POLICY, false, new ASN1OctetString("no sequence"));
        Control withoutError = new Control(PASSWORD_POLICY, false, new ASN1OctetString(new ASN1Sequence().encode()));
        for (Control control : List.of(policyError((byte) 3), unreadable, withoutError)) {
            directory.answer(TestDirectory.ADA, ResultCode.INVALID_CREDENTIALS, "", control);
            assertThat(decide("ada", TestDirectory.PASSWORD)).isEqualTo(refused(RejectionReason.BAD_CREDENTIALS));
        }
        for (Control control : List.of(unreadable, withoutError)) {
            directory.answer(TestDirectory.ADA, ResultCode.SUCCESS, "", control);
            assertThat(decide("ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
        }
    }

    private static Control policyError(byte error) {
        return new Control(
                PASSWORD_POLICY,
                false,
                new ASN1OctetString(new ASN1Sequence(new ASN1Element(ERROR, new byte[] {error})).encode()));
    }

    @ParameterizedTest
    @CsvSource({
        "525, UNKNOWN_ACCOUNT, ''",
        "52e, BAD_CREDENTIALS, ''",
        "530, ACCOUNT_LOCKED, not_at_this_time",
        "531, ACCOUNT_LOCKED, not_from_here",
        "532, CREDENTIALS_EXPIRED, ''",
        "533, ACCOUNT_DISABLED, ''",
        "701, ACCOUNT_EXPIRED, ''",
        "773, CREDENTIALS_EXPIRED, must_change",
        "775, ACCOUNT_LOCKED, ''",
        "fff, BAD_CREDENTIALS, ''"
    })
    void codeOfActiveDirectory_saysWhy(String code, RejectionReason reason, String detail) {
        String message =
                "80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error, data " + code + ", v2580";
        directory.answer(TestDirectory.ADA, ResultCode.INVALID_CREDENTIALS, message);
        assertThat(decide("ada", TestDirectory.PASSWORD)).isEqualTo(refused(reason, detail));
    }

    @ParameterizedTest
    @CsvSource({
        "19, Exceed password retry limit. Please try later., ACCOUNT_LOCKED, too_many_failures",
        "32, '', UNKNOWN_ACCOUNT, ''",
        "48, '', BAD_CREDENTIALS, ''",
        "53, Account inactivated. Contact system administrator., ACCOUNT_DISABLED, ''"
    })
    void otherRefusalsOfABind_areDecisions(int code, String message, RejectionReason reason, String detail) {
        directory.answer(TestDirectory.ADA, ResultCode.valueOf(code), message);
        assertThat(decide("ada", TestDirectory.PASSWORD)).isEqualTo(refused(reason, detail));
    }

    @Test
    void stateOfTheEntry_isKnownToThoseAloneWhoKnowThePassword() throws Exception {
        directory.modify(TestDirectory.ADA, "add: nsAccountLock", "nsAccountLock: TRUE");
        assertThat(decide("ada", TestDirectory.OTHER_PASSWORD)).isEqualTo(refused(RejectionReason.BAD_CREDENTIALS));
        assertThat(decide("ada", TestDirectory.PASSWORD)).isEqualTo(refused(RejectionReason.ACCOUNT_DISABLED));
    }

    @Test
    void moreGroupsThanATokenCanHave_areNoLogin() throws Exception {
        for (int i = 0; i < 1_001; i++) {
            directory.group("g" + i, TestDirectory.ADA);
        }
        assertThat(catchThrowable(() -> decide("ada", TestDirectory.PASSWORD)))
                .isInstanceOf(AuthUnavailableException.class)
                .hasMessageContaining("narrow user-filter or group-filter");
    }

    @Test
    void claimThatIsTooLong_isLeftOut() throws Exception {
        directory.person("alan", "Enigma-Machine-1", "displayName: " + "a".repeat(5_000), "mail: alan@example.org");
        assertThat(subject("alan", "Enigma-Machine-1").claims()).containsOnlyKeys("email");
    }
}
