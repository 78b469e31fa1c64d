package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.OperationType;
import dev.latchkey.auth.factory.PluginEnvironment;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bounds of a new connection, and the answers that make a server usable. */
@Timeout(60)
class ServersInTurnTest {

    private static final String[] WITHOUT_ACCOUNT = {
        "bind-dn", "", "bind-password", "", "base-dn", "", "user-dn-pattern", "uid={0}," + TestDirectory.PEOPLE
    };

    private static ServersInTurn servers(Map<String, String> settings, String... changes) {
        PluginEnvironment environment = Plugins.environment(Plugins.config(settings, changes));
        return new ServersInTurn(
                environment,
                ServerSettings.of(environment),
                ServiceAccount.of(environment).orElse(null));
    }

    @Test
    void connection_hasTheBoundsOfTheSettings() throws Exception {
        try (TestDirectory directory = TestDirectory.start();
                LDAPConnection connection = servers(directory.settings(), "connect-timeout", "30s", "timeout", "40s")
                        .getConnection(null)) {
            LDAPConnectionOptions options = connection.getConnectionOptions();
            assertThat(options.getConnectTimeoutMillis()).isEqualTo(30_000);
            assertThat(options.getResponseTimeoutMillis()).isEqualTo(40_000);
            assertThat(options.getMaxMessageSize()).isEqualTo(1 << 20);
            assertThat(options.getSSLSocketVerifier()).isInstanceOf(CertificateInTime.class);
            assertThat(options.abandonOnTimeout()).isTrue();
            assertThat(options.followReferrals()).isFalse();
            assertThat(options.bindWithDNRequiresPassword()).isTrue();
            assertThat(options.useSynchronousMode()).isFalse();
        }
    }

    /** Such a server answers, and can check passwords. */
    @Test
    void serverThatTellsStrangersNothing_isUsedWithoutAnAccountOfTheService() throws Exception {
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(TestDirectory.BASE);
        config.setListenerConfigs(
                InMemoryListenerConfig.createLDAPConfig("plain", InetAddress.getLoopbackAddress(), 0, null));
        config.setAuthenticationRequiredOperationTypes(OperationType.SEARCH);
        InMemoryDirectoryServer server = new InMemoryDirectoryServer(config);
        try {
            server.startListening();
            Map<String, String> settings =
                    Map.of("urls", "ldap://127.0.0.1:" + server.getListenPort(), "encryption", "none");
            try (LDAPConnection connection = servers(settings, WITHOUT_ACCOUNT).getConnection()) {
                assertThat(connection.isConnected()).isTrue();
            }
        } finally {
            server.shutDown(true);
        }
    }

    @Test
    void serverThatSaysNothing_isNotUsed() throws Exception {
        try (FaultyServer server = new FaultyServer(FaultyServer.Fault.SAYS_NOTHING)) {
            ServersInTurn servers = servers(server.settings(), WITHOUT_ACCOUNT);
            assertThatThrownBy(servers::getConnection).isInstanceOf(LDAPException.class);
            assertThat(server.accepted()).isEqualTo(1);
        }
    }
}
