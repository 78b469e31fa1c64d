package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.unboundid.ldap.sdk.ResultCode;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory that gives no answer: an outage in time, whatever it does instead, and never a wrong password. */
@Tag("long")
class OutageTest {

    /** Its time-out is 400 ms; a machine that does other things takes its time too. Without a time-out a server here is silent for a minute. */
    private static final Duration IN_TIME = Duration.ofSeconds(20);

    private static final String LONGEST = "60s";

    @ParameterizedTest
    @EnumSource
    void faultyServer_isAnOutageInTime(FaultyServer.Fault fault) throws Exception {
        try (FaultyServer server = new FaultyServer(fault);
                LdapAuthPlugin plugin = Plugins.of(server.settings())) {
            for (int attempt = 0; attempt < 3; attempt++) {
                assertOutageInTime(plugin);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SAYS_NOTHING", "HANGS_UP", "SPEAKS_NOISE", "DRIPS", "BIND_SAYS_NOTHING", "BIND_IS_BUSY"})
    void faultyServer_isAnOutageWithoutAnAccountOfTheServiceToo(FaultyServer.Fault fault) throws Exception {
        try (FaultyServer server = new FaultyServer(fault);
                LdapAuthPlugin plugin = Plugins.of(
                        server.settings(),
                        "bind-dn",
                        "",
                        "bind-password",
                        "",
                        "base-dn",
                        "",
                        "user-dn-pattern",
                        "uid={0}," + TestDirectory.PEOPLE)) {
            assertOutageInTime(plugin);
        }
    }

    /** The bounds of one server after the other add up; that of the login as a whole does not. */
    @Test
    void manyServersThatHang_areAnOutageInTheTimeOfOne() throws Exception {
        try (FaultyServer server = new FaultyServer(FaultyServer.Fault.SAYS_NOTHING)) {
            String url = "ldap://127.0.0.1:" + server.port();
            try (LdapAuthPlugin plugin = Plugins.of(
                    server.settings(),
                    "urls",
                    String.join(",", Collections.nCopies(100, url)),
                    "connect-timeout",
                    "400ms")) {
                assertOutageInTime(plugin);
            }
        }
    }

    private static void assertOutageInTime(LdapAuthPlugin plugin) {
        long start = System.nanoTime();
        AuthUnavailableException outage = catchThrowableOfType(
                AuthUnavailableException.class, () -> Plugins.decide(plugin, "ada", TestDirectory.PASSWORD));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(IN_TIME);
        assertThat(outage.kind()).isEqualTo(AuthUnavailableException.Kind.OUTAGE);
        assertThat(outage).hasMessageStartingWith("The directory of 'ldap' gave no answer");
    }

    @Test
    void serverThatIsDown_isAnOutage_andServesAgainOnceItIsBack() throws Exception {
        try (TestDirectory directory = TestDirectory.start();
                LdapAuthPlugin plugin = Plugins.of(directory.settings())) {
            assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
            int port = directory.port();
            directory.stop();
            assertThatThrownBy(() -> Plugins.decide(plugin, "ada", TestDirectory.PASSWORD))
                    .isInstanceOf(AuthUnavailableException.class);
            directory.startAgain();
            assertThat(directory.port()).isEqualTo(port);
            assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SAYS_NOTHING", "HANGS_UP", "SPEAKS_HTTP"})
    void serverThatFails_isPassedOverForTheNext_andLeftAloneAfterThat(FaultyServer.Fault fault) throws Exception {
        try (FaultyServer faulty = new FaultyServer(fault);
                TestDirectory directory = TestDirectory.start();
                LdapAuthPlugin plugin = Plugins.of(
                        directory.settings(),
                        "urls",
                        "ldap://127.0.0.1:" + faulty.port() + ",ldap://127.0.0.1:" + directory.port(),
                        // The one that works greets in this time too, on whatever machine.
                        "connect-timeout",
                        "2s",
                        "timeout",
                        LONGEST)) {
            assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
            int asked = faulty.accepted();
            // The connections that are open are gone, and new ones begin where the last did.
            directory.stop();
            directory.startAgain();
            assertThat(Plugins.decide(plugin, "grace", TestDirectory.OTHER_PASSWORD))
                    .isInstanceOf(Authenticated.class);
            assertThat(faulty.accepted()).isEqualTo(asked).isPositive();
        }
    }

    @Test
    void serverThatIsBack_isAskedAfterTheLastOneOfTheList() throws Exception {
        try (TestDirectory first = TestDirectory.start();
                TestDirectory second = TestDirectory.start();
                LdapAuthPlugin plugin = Plugins.of(
                        first.settings(),
                        "urls",
                        "ldap://127.0.0.1:" + first.port() + ",ldap://127.0.0.1:" + second.port())) {
            first.stop();
            assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
            second.stop();
            first.startAgain();
            assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
        }
    }

    @Test
    void serverThatCannotBeUsed_isLeft() throws Exception {
        try (FaultyServer server = new FaultyServer(FaultyServer.Fault.START_TLS_REFUSED);
                LdapAuthPlugin plugin = Plugins.of(server.settings())) {
            assertOutageInTime(plugin);
            assertThat(server.accepted()).isPositive();
            server.awaitAllLeft();
        }
    }

    @Test
    void closedPlugin_leavesNoConnectionOpen() throws Exception {
        FaultyServer.Fault usable = FaultyServer.Fault.BIND_IS_REFUSED_FOR_NO_REASON_OF_THE_ACCOUNT;
        try (FaultyServer server = new FaultyServer(usable)) {
            try (LdapAuthPlugin plugin = Plugins.of(server.settings(), "timeout", LONGEST, "connect-timeout", "10s")) {
                assertOutageInTime(plugin);
                assertThat(server.accepted())
                        .as("for searches, and for passwords")
                        .isEqualTo(2);
            }
            server.awaitAllLeft();
        }
    }

    @Test
    void moreCallsThanConnections_areRefusedAtOnce() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (FaultyServer server = new FaultyServer(FaultyServer.Fault.SAYS_NOTHING);
                LdapAuthPlugin plugin = Plugins.of(
                        server.settings(), "max-connections", "1", "timeout", LONGEST, "connect-timeout", LONGEST)) {
            CompletableFuture<AuthUnavailableException.Kind> first =
                    CompletableFuture.supplyAsync(() -> kindOfOutage(plugin), thread);
            server.awaitAccepted();
            assertThat(kindOfOutage(plugin)).isEqualTo(AuthUnavailableException.Kind.OVERLOAD);
            assertThat(kindOfOutage(plugin)).isEqualTo(AuthUnavailableException.Kind.OVERLOAD);
            assertThat(first).isNotDone();
            server.hangUp();
            assertThat(first.join()).isEqualTo(AuthUnavailableException.Kind.OUTAGE);
        } finally {
            thread.shutdownNow();
        }
    }

    private static AuthUnavailableException.Kind kindOfOutage(LdapAuthPlugin plugin) {
        return catchThrowableOfType(
                        AuthUnavailableException.class, () -> Plugins.decide(plugin, "ada", TestDirectory.PASSWORD))
                .kind();
    }

    @ParameterizedTest
    @CsvSource({
        "bind-password, Wrong-Service-Secret, look at bind-dn and bind-password-file",
        "base-dn, 'ou=nowhere,dc=example,dc=org', look at base-dn",
        "group-base-dn, 'ou=nowhere,dc=example,dc=org', look at base-dn and group-base-dn"
    })
    void settingThatTheDirectoryRefuses_isAnOutageThatSaysWhatToLookAt(String key, String value, String advice)
            throws Exception {
        try (TestDirectory directory = TestDirectory.start();
                LdapAuthPlugin plugin = Plugins.of(directory.settings(), key, value)) {
            assertThatThrownBy(() -> Plugins.decide(plugin, "ada", TestDirectory.PASSWORD))
                    .isInstanceOf(AuthUnavailableException.class)
                    .hasMessageContaining(advice);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 10, 11, 50, 51, 52, 53, 80})
    void searchThatFails_isAnOutage_andTheNextOneWorks(int code) throws Exception {
        try (TestDirectory directory = TestDirectory.start();
                LdapAuthPlugin plugin = Plugins.of(directory.settings(), "max-connections", "1")) {
            directory.failSearches(ResultCode.valueOf(code));
            for (int i = 0; i < 3; i++) {
                assertThat(kindOfOutage(plugin)).isEqualTo(AuthUnavailableException.Kind.OUTAGE);
            }
            directory.failSearches(ResultCode.SUCCESS);
            assertThat(Plugins.decide(plugin, "ada", TestDirectory.PASSWORD)).isInstanceOf(Authenticated.class);
        }
    }

    @Test
    void outage_doesNotRepeatTheNameThatWasSent() throws Exception {
        try (FaultyServer server = new FaultyServer(FaultyServer.Fault.SEARCH_RESULT_IS_A_REFERRAL);
                LdapAuthPlugin plugin = Plugins.of(server.settings())) {
            assertThatThrownBy(() -> Plugins.decide(plugin, "my-password-by-mistake", TestDirectory.PASSWORD))
                    .isInstanceOf(AuthUnavailableException.class)
                    .message()
                    .doesNotContain("by-mistake");
        }
    }
}
