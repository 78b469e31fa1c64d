package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.sdk.LDAPException;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.PluginDirectory;
import dev.latchkey.auth.engine.PluginHost;
import dev.latchkey.auth.engine.PluginSelectionException;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginEnvironment;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes in the settings stop the start, and say what to write. */
class LdapSettingsTest {

    private static final Map<String, String> GOOD = Map.of(
            "type", "ldap",
            "urls", "ldap://127.0.0.1:1",
            "encryption", "none",
            "timeout", "200ms",
            "base-dn", "ou=people,dc=example,dc=org");

    @TempDir
    private Path folder;

    private static AuthChain select(String... changes) {
        return PluginDirectory.discover(LdapSettingsTest.class.getClassLoader())
                .select(List.of("ldap"), name -> Plugins.config(GOOD, changes), PluginHost.ALONE);
    }

    private static PluginEnvironment settings(Map<String, String> settings, String... changes) {
        return Plugins.environment(Plugins.config(settings, changes));
    }

    @Test
    void allWrongSettings_areNamedAtOnce() {
        assertThatThrownBy(() -> select("urls", "", "timeout", "2m", "id-attribute", "uid=x", "claims", "email=!"))
                .isInstanceOfSatisfying(
                        PluginSelectionException.class,
                        refused -> assertThat(refused.mistakes()).hasSize(4));
    }

    @Test
    void mistakesBetweenSettings_areNamedAtOnce() {
        assertThatThrownBy(() -> select(
                        "urls", "ldaps://a.example",
                        "trust-password", "changeit",
                        "bind-password", "secret",
                        "user-dn-pattern", "uid={0},dc=example",
                        "claims", "sub=uid",
                        "group-filter", "(member={0})"))
                .isInstanceOfSatisfying(
                        PluginSelectionException.class,
                        refused -> assertThat(refused.mistakes())
                                .extracting(
                                        problem -> problem.replaceAll(".*latchkey\\.plugin\\.ldap\\.([a-z-]+).*", "$1"))
                                .containsExactly(
                                        "encryption",
                                        "trust-file",
                                        "bind-dn",
                                        "user-dn-pattern",
                                        "claims",
                                        "group-base-dn"));
    }

    @Test
    void goodSettings_makeAPlugin_thoughTheDirectoryIsDown() {
        try (AuthChain chain = select()) {
            assertThat(chain.pluginNames()).containsExactly("ldap");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "urls | '' | Set latchkey.plugin.ldap.urls: it is required",
                "urls | https://ldap.example.org | latchkey.plugin.ldap.urls must be ldaps:// or ldap:// addresses",
                "urls | ldaps://ldap.example.org/dc=example | the base of searches is base-dn",
                "urls | ldaps://user:secret@ldap.example.org | latchkey.plugin.ldap.urls must be",
                "urls | ldaps://a.example,ldap://b.example | all of one scheme",
                "urls | ldaps://a.example,,ldaps://b.example | nothing empty between its commas",
                "urls | ldaps://bad host | latchkey.plugin.ldap.urls must be",
                "urls | ldaps://ldap.example.org?base | latchkey.plugin.ldap.urls must be",
                "urls | ldaps://ldap.example.org#base | latchkey.plugin.ldap.urls must be",
                "urls | ldaps:///dc=example | latchkey.plugin.ldap.urls must be",
                "urls | ldaps://a.example | latchkey.plugin.ldap.encryption must be left out for ldaps://",
                "urls | ldap://192.0.2.1 | without encryption everybody on the way reads the passwords",
                "encryption | off | latchkey.plugin.ldap.encryption must be start-tls, none or none-on-the-network",
                "trust-file | /does/not/exist.pem | latchkey.plugin.ldap.trust-file must be the path of a file",
                "trust-password | changeit | Set latchkey.plugin.ldap.trust-file: it is required",
                "timeout | 0s | latchkey.plugin.ldap.timeout must be from 1ms to 1m",
                "timeout | 2m | latchkey.plugin.ldap.timeout must be from 1ms to 1m",
                "connect-timeout | soon | latchkey.plugin.ldap.connect-timeout must be a duration",
                "max-connections | 0 | latchkey.plugin.ldap.max-connections must be from 1 to 1000",
                "cache-expiry | 16m | latchkey.plugin.ldap.cache-expiry must be from 0s to 15m",
                "base-dn | '' | latchkey.plugin.ldap.base-dn must be set to the DN below which accounts are",
                "base-dn | people | latchkey.plugin.ldap.base-dn must be a DN",
                "bind-password | secret | Set latchkey.plugin.ldap.bind-dn: it is required",
                "bind-dn | cn=orders,dc=example | latchkey.plugin.ldap.bind-password-file must be set",
                "bind-dn | orders | latchkey.plugin.ldap.bind-dn must be a DN",
                "bind-dn | @corp.example | latchkey.plugin.ldap.bind-dn must be a DN",
                "bind-dn | cn=orders@ | latchkey.plugin.ldap.bind-password-file must be set",
                "user-filter | (uid=ada) | latchkey.plugin.ldap.user-filter must be a filter with attribute={0} in it",
                "user-filter | ({0}=ada) | latchkey.plugin.ldap.user-filter must be a filter with attribute={0} in it",
                "user-filter | (uid={0} | latchkey.plugin.ldap.user-filter must be a filter as RFC 4515 writes it",
                "user-filter | (uid={0}*) | latchkey.plugin.ldap.user-filter must be a filter as RFC 4515 writes it",
                "user-filter | (uid:caseExactMatch:={0}) | latchkey.plugin.ldap.user-filter must be",
                "user-filter | (uid>={0}) | latchkey.plugin.ldap.user-filter must be",
                "user-dn-pattern | uid={0},dc=example | latchkey.plugin.ldap.user-dn-pattern must be set without base-dn",
                "id-attribute | uid=x | latchkey.plugin.ldap.id-attribute must be the name of an attribute",
                "claims | email | latchkey.plugin.ldap.claims must be claim=attribute pairs",
                "claims | sub=uid | The claim 'sub' has a meaning of its own",
                "claims | a=mail,a=cn | latchkey.plugin.ldap.claims must be claim=attribute pairs",
                "group-filter | (cn=staff) | latchkey.plugin.ldap.group-filter must be a filter with attribute={0} for",
                "group-filter | ({1}=staff) | latchkey.plugin.ldap.group-filter must be a filter with attribute={0} for",
                "group-filter | (member={0} | latchkey.plugin.ldap.group-filter must be a filter as RFC 4515 writes it",
                "group-filter | (member={0}) | Set latchkey.plugin.ldap.group-base-dn: it is required",
                "group-base-dn | groups | latchkey.plugin.ldap.group-base-dn must be a DN",
                "authority-case | lower | latchkey.plugin.ldap.authority-case must be upper or kept",
                "user-search-base | ou=people | latchkey.plugin.ldap.user-search-base"
            })
    void settingThatIsWrong_isNamed(String key, String value, String message) {
        assertThatThrownBy(() -> select(key, value))
                .isInstanceOf(PluginSelectionException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{0}",
                "uid={0}",
                "uid={0}+cn=x,dc=example",
                "ou=x,uid={0}",
                "uid=a{0},dc=example",
                "uid={0},ou={0},dc=x",
                "="
            })
    void dnPatternThatIsNone_isNamed(String pattern) {
        assertThatThrownBy(() -> select("base-dn", "", "user-dn-pattern", pattern))
                .hasMessageContaining(
                        "latchkey.plugin.ldap.user-dn-pattern must be a DN that begins with attribute={0}");
    }

    @ParameterizedTest
    @CsvSource({"user-filter, (uid={0})", "id-attribute, uid"})
    void dnPattern_isNoneBesideTheSettingsOfASearch(String key, String value) {
        assertThatThrownBy(() -> select("base-dn", "", "user-dn-pattern", "uid={0},dc=example", key, value))
                .isInstanceOf(PluginSelectionException.class)
                .hasMessageContaining("user-dn-pattern must be set without base-dn, user-filter and id-attribute");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(|(uid={0})(mail={0}))",
                "(&(objectCategory=person)(sAMAccountName={0}))",
                "(userPrincipalName={0}@corp.example)",
                "(&(uid={0})(memberOf:1.2.840.113556.1.4.1941:=cn=staff,dc=corp))",
                "(&(uid={0})(!(userAccountControl:1.2.840.113556.1.4.803:=2)))"
            })
    void filtersThatPeopleHave_areTaken(String filter) {
        assertThatCode(() -> select("user-filter", filter).close()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(member:1.2.840.113556.1.4.1941:={0})", "(memberUid={1})"})
    void filtersForGroupsThatPeopleHave_areTaken(String filter) {
        assertThatCode(() -> select("group-base-dn", "dc=corp", "group-filter", filter)
                        .close())
                .doesNotThrowAnyException();
    }

    @Test
    void plainConnection_isPossibleToThisMachine_andElsewhereByItsName() {
        assertThatCode(() -> Plugins.of(GOOD).close()).doesNotThrowAnyException();
        assertThatCode(() -> Plugins.of(GOOD, "urls", "ldap://192.0.2.1", "encryption", "none-on-the-network")
                        .close())
                .doesNotThrowAnyException();
    }

    @Test
    void ldapWithoutAnythingElse_isStartTls() {
        assertThat(LdapSettings.of(settings(GOOD, "encryption", "")).servers().encryption())
                .isEqualTo(ServerSettings.Encryption.START_TLS);
    }

    @Test
    void portsAreTheUsualOnes_andAddressesMayBeNumbers() {
        assertThat(LdapSettings.of(settings(GOOD, "urls", "ldaps://a.example, ldaps://[::1]:1636", "encryption", ""))
                        .servers()
                        .servers())
                .containsExactly(new ServerSettings.Server("a.example", 636), new ServerSettings.Server("::1", 1636));
    }

    @Test
    void ldapWithAPathOfOneSlash_isAtItsUsualPort() {
        assertThat(LdapSettings.of(settings(GOOD, "urls", "LDAP://a.example/", "encryption", ""))
                        .servers()
                        .servers())
                .containsExactly(new ServerSettings.Server("a.example", 389));
    }

    @Test
    void accountOfActiveDirectory_mayHaveANameWithItsDomain() {
        assertThat(ServiceAccount.of(settings(GOOD, "bind-dn", "orders@corp.example", "bind-password", "secret")))
                .get()
                .extracting(ServiceAccount::dn)
                .isEqualTo("orders@corp.example");
    }

    @Test
    void passwordThatWasForgotten_isNotSent() throws Exception {
        BindPassword password = BindPassword.of(Secret.of("secret"));
        assertThat(password.getPasswordBytes()).asString().isEqualTo("secret");
        password.forget();
        assertThatThrownBy(password::getPasswordBytes)
                .isInstanceOf(LDAPException.class)
                .hasMessage("An empty password is not sent");
    }

    @Test
    void cacheIsForAQuarterOfAnHour_andOffByZero() {
        assertThat(Plugins.of(GOOD).reusableFor()).contains(Duration.ofMinutes(15));
        assertThat(Plugins.of(GOOD, "cache-expiry", "0s").reusableFor()).isEmpty();
    }

    @Test
    void trustFileThatHoldsNoCertificate_isNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("trusted.pem"), "no certificate");
        assertThatThrownBy(() -> select("trust-file", file.toString()))
                .hasMessageContaining("trust-file must be a file of PEM certificates, or one of keytool");
        Files.writeString(file, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertThatThrownBy(() -> select("trust-file", file.toString()))
                .hasMessageContaining("trust-file must be a file with certificates");
    }

    @Test
    void trustFileOfKeytool_needsItsPassword_andACertificate() throws Exception {
        TestCertificate certificate = TestCertificate.of("localhost");
        Path file = certificate.keyStoreIn(folder, "PKCS12");
        assertThatThrownBy(() -> select("trust-file", file.toString()))
                .hasMessageContaining("one of keytool with its trust-password");
        assertThatThrownBy(() -> select("trust-file", file.toString(), "trust-password", "another"))
                .hasMessageContaining("trust-password must be the password of the file that trust-file names");
        KeyStore empty = KeyStore.getInstance("PKCS12");
        empty.load(null, null);
        try (OutputStream out = Files.newOutputStream(file)) {
            empty.store(out, "changeit".toCharArray());
        }
        assertThatThrownBy(() -> select("trust-file", file.toString(), "trust-password", "changeit"))
                .hasMessageContaining("trust-file must be a file with at least one certificate");
    }

    @Test
    void factory_isOfThisInterface_andOfThisType() {
        LdapPluginFactory factory = new LdapPluginFactory();
        assertThat(factory.spiVersion()).isEqualTo(AuthPluginFactory.SPI_VERSION);
        assertThat(factory.type()).isEqualTo("ldap");
        assertThat(factory.settings()).isEqualTo(LdapSettings.ALL);
    }

    @Test
    void passwordFile_isReadForEachConnection_withoutItsLineEnd() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "first\n");
        ServiceAccount account = ServiceAccount.of(
                        settings(GOOD, "bind-dn", TestDirectory.SERVICE, "bind-password-file", file.toString()))
                .orElseThrow();
        assertThat(account.password().getPasswordBytes()).asString().isEqualTo("first");
        Files.writeString(file, "second\r\n");
        assertThat(account.password().getPasswordBytes()).asString().isEqualTo("second");
        assertThat(account).hasToString("ServiceAccount[" + TestDirectory.SERVICE + "]");
    }

    @Test
    void emptyPasswordFile_isNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "\n");
        assertThatThrownBy(() -> select("bind-dn", TestDirectory.SERVICE, "bind-password-file", file.toString()))
                .hasMessageContaining("bind-password-file must be the path of a file");
    }
}
