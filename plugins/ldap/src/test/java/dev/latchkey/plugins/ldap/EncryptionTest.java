package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** LDAPS and StartTLS: with a certificate that is trusted, in time and for the server's name, and with no other. */
class EncryptionTest {

    private static final String HOST = "localhost";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void trustedCertificate_isEnough(boolean byStartTls) throws Exception {
        TestCertificate certificate = TestCertificate.of(HOST);
        try (TestDirectory directory = TestDirectory.start(certificate);
                LdapAuthPlugin plugin = Plugins.of(settings(directory, byStartTls, certificate.pemIn(folder)))) {
            assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
            assertThat(Plugins.decide(plugin, "ada", TestDirectory.OTHER_PASSWORD))
                    .isNotInstanceOf(Authenticated.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"JKS", "PKCS12"})
    void fileOfKeytool_isTrusted(String type) throws Exception {
        TestCertificate certificate = TestCertificate.of(HOST);
        Map<String, String> settings;
        try (TestDirectory directory = TestDirectory.start(certificate)) {
            settings = settings(directory, false, certificate.keyStoreIn(folder, type));
            settings.put("trust-password", "changeit");
            try (LdapAuthPlugin plugin = Plugins.of(settings)) {
                assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD))
                        .isInstanceOf(Authenticated.class);
            }
        }
    }

    static Stream<Arguments> badCertificates() throws Exception {
        TestCertificate good = TestCertificate.of(HOST);
        TestCertificate expired = TestCertificate.expiredOf(HOST);
        TestCertificate ofAnother = TestCertificate.of("directory.example.org");
        return Stream.of(true, false)
                .flatMap(byStartTls -> Stream.of(
                        Arguments.of("another one is trusted", good, expired, byStartTls),
                        Arguments.of("expired", expired, expired, byStartTls),
                        Arguments.of("for another name", ofAnother, ofAnother, byStartTls)));
    }

    @ParameterizedTest(name = "{0}, StartTLS {3}")
    @MethodSource("badCertificates")
    void badCertificate_isAnOutage_beforeAnyPasswordIsSent(
            String what, TestCertificate shown, TestCertificate trusted, boolean byStartTls) throws Exception {
        try (TestDirectory directory = TestDirectory.start(shown);
                LdapAuthPlugin plugin = Plugins.of(settings(directory, byStartTls, trusted.pemIn(folder)))) {
            assertThatThrownBy(() -> Plugins.decide(plugin, "ada", TestDirectory.PASSWORD))
                    .as(what)
                    .isInstanceOf(AuthUnavailableException.class)
                    .hasMessageContaining("look at trust-file and urls");
            assertThat(directory.searches()).isEmpty();
            assertThat(directory.bindsOfPeople()).isEmpty();
        }
    }

    @Test
    void withoutATrustFile_theCertificatesOfTheJdkAreTrusted_andNoOther() throws Exception {
        TestCertificate certificate = TestCertificate.of(HOST);
        try (TestDirectory directory = TestDirectory.start(certificate);
                LdapAuthPlugin plugin =
                        Plugins.of(settings(directory, false, certificate.pemIn(folder)), "trust-file", "")) {
            assertThatThrownBy(() -> Plugins.decide(plugin, "ada", TestDirectory.PASSWORD))
                    .isInstanceOf(AuthUnavailableException.class);
        }
    }

    private static Map<String, String> settings(TestDirectory directory, boolean byStartTls, Path trusted) {
        Map<String, String> settings = new TreeMap<>(directory.settings());
        settings.remove("encryption");
        settings.put(
                "urls",
                byStartTls
                        ? "ldap://" + HOST + ":" + directory.port()
                        : "ldaps://" + HOST + ":" + directory.encryptedPort());
        settings.put("trust-file", trusted.toString());
        settings.put("timeout", "10s");
        settings.put("connect-timeout", "5s");
        return settings;
    }
}
