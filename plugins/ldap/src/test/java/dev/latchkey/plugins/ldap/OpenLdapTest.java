package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against OpenLDAP's own server, which has to be installed: {@code mvnw -Dsurefire.groups=slapd}. */
@Tag("slapd")
class OpenLdapTest {

    @TempDir
    private Path folder;

    private Slapd slapd;
    private LdapAuthPlugin plugin;

    @BeforeEach
    void start() throws Exception {
        slapd = new Slapd(folder, TestCertificate.ofRsa("localhost"));
        plugin = Plugins.of(slapd.settings());
    }

    @AfterEach
    void stop() {
        plugin.close();
        slapd.close();
    }

    @Test
    void account_logsInByLdaps_withItsGroups() {
        assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD))
                .asInstanceOf(type(Authenticated.class))
                .satisfies(login -> {
                    assertThat(login.subject().id()).isEqualTo("ada");
                    assertThat(login.subject().authorities()).containsExactly("ROLE_DEVELOPERS");
                });
        assertThat(Plugins.decide(plugin, "ada", "Incorrect-Horse"))
                .isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    @Test
    void account_logsInByStartTls_andByItsOwnEntryAlone() {
        try (LdapAuthPlugin byStartTls = Plugins.of(slapd.settings(), "urls", slapd.startTlsUrl());
                LdapAuthPlugin byBind = Plugins.of(Map.of(
                        "urls",
                        slapd.startTlsUrl(),
                        "trust-file",
                        slapd.settings().get("trust-file"),
                        "user-dn-pattern",
                        "uid={0}," + TestDirectory.PEOPLE))) {
            assertThat(Plugins.decide(byStartTls, "ada", TestDirectory.PASSWORD))
                    .isInstanceOf(Authenticated.class);
            assertThat(Plugins.decide(byBind, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
            assertThat(Plugins.decide(byBind, "nobody", TestDirectory.PASSWORD)).isInstanceOf(Rejected.class);
        }
    }

    @Test
    void nameThatNobodyHas_isForTheNextPlugin() {
        assertThat(Plugins.decide(plugin, "nobody", TestDirectory.PASSWORD)).isSameAs(Decision.abstained());
        plugin.unrecognized(new PasswordCredentials("nobody", Secret.of(TestDirectory.PASSWORD)));
        assertThat(Plugins.decide(plugin, "*", TestDirectory.PASSWORD)).isSameAs(Decision.abstained());
        assertThat(Plugins.decide(plugin, "nopassword", TestDirectory.PASSWORD)).isInstanceOf(Rejected.class);
    }

    @ParameterizedTest
    @CsvSource({
        "locked, ACCOUNT_LOCKED, ''",
        "expired, CREDENTIALS_EXPIRED, ''",
        "reset, CREDENTIALS_EXPIRED, must_change"
    })
    void accountThatMayNotLogIn_isRefusedForItsReason(String name, RejectionReason reason, String detail) {
        assertThat(Plugins.decide(plugin, name, TestDirectory.PASSWORD))
                .isEqualTo(Rejected.because(reason).withDetail(detail));
        assertThat(Plugins.decide(plugin, name, "Incorrect-Horse")).isInstanceOf(Rejected.class);
    }

    @Test
    void guessedAccount_isLocked_andItsOwnerWhoIsLoggedInGoesOn() {
        Authenticated login = (Authenticated) Plugins.decide(plugin, "guessed", TestDirectory.PASSWORD);
        for (int guess = 0; guess < 3; guess++) {
            assertThat(Plugins.decide(plugin, "guessed", "Incorrect-Horse")).isInstanceOf(Rejected.class);
        }
        assertThat(Plugins.decide(plugin, "guessed", TestDirectory.PASSWORD))
                .isEqualTo(Rejected.because(RejectionReason.ACCOUNT_LOCKED));
        Authenticated account = (Authenticated) plugin.account("guessed").orElseThrow();
        assertThat(account.stamp().matches(login.stamp())).isTrue();
    }

    @Test
    void accountThatIsLockedForEver_orGone_endsALoginAtItsRefresh() throws Exception {
        assertThat(plugin.account("ada").orElseThrow()).isInstanceOf(Authenticated.class);
        slapd.modify(
                "dn: " + TestDirectory.ADA,
                "changetype: modify",
                "add: pwdAccountLockedTime",
                "pwdAccountLockedTime: 000001010000Z");
        assertThat(plugin.account("ada").orElseThrow()).isEqualTo(Rejected.because(RejectionReason.ACCOUNT_LOCKED));
        assertThat(plugin.account("nobody")).isEmpty();
    }

    @Test
    void changedPassword_isAnotherStamp() throws Exception {
        Authenticated login = (Authenticated) Plugins.decide(plugin, "ada", TestDirectory.PASSWORD);
        slapd.modify(
                "dn: " + TestDirectory.ADA,
                "changetype: modify",
                "replace: userPassword",
                "userPassword: Another-One-12");
        assertThat(((Authenticated) plugin.account("ada").orElseThrow()).stamp().matches(login.stamp()))
                .isFalse();
        assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Rejected.class);
    }

    @Test
    void frozenServer_isAnOutageInTime_andServesAgainOnceItThaws() throws Exception {
        assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
        slapd.freeze();
        try {
            for (int attempt = 0; attempt < 2; attempt++) {
                long start = System.nanoTime();
                assertThatThrownBy(() -> Plugins.decide(plugin, "ada", TestDirectory.PASSWORD))
                        .isInstanceOf(AuthUnavailableException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(6));
            }
        } finally {
            slapd.thaw();
        }
        assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
    }

    @Test
    void serverThatIsDown_isAnOutage_andServesAgainOnceItIsBack() throws Exception {
        assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
        slapd.kill();
        assertThatThrownBy(() -> Plugins.decide(plugin, "ada", TestDirectory.PASSWORD))
                .isInstanceOf(AuthUnavailableException.class);
        slapd.startAgain();
        assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
    }

    @Test
    void otherCertificate_isAnOutage() throws Exception {
        Path other = TestCertificate.of("localhost").keyStoreIn(folder, "PKCS12");
        try (LdapAuthPlugin distrusting =
                Plugins.of(slapd.settings(), "trust-file", other.toString(), "trust-password", "changeit")) {
            assertThatThrownBy(() -> Plugins.decide(distrusting, "ada", TestDirectory.PASSWORD))
                    .isInstanceOf(AuthUnavailableException.class)
                    .hasMessageContaining("look at trust-file and urls");
        }
    }

    @Test
    void serviceWithoutAnAccount_isAnOutage_whereTheDirectoryLetsNobodySearch() {
        try (LdapAuthPlugin anonymous = Plugins.of(slapd.settings(), "bind-dn", "", "bind-password", "")) {
            assertThatThrownBy(() -> Plugins.decide(anonymous, "ada", TestDirectory.PASSWORD))
                    .isInstanceOf(AuthUnavailableException.class)
                    .hasMessageContaining("look at");
        }
    }
}
