package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPConnectionPoolHealthCheck;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.ServerSet;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.extensions.StartTLSExtendedRequest;
import dev.latchkey.auth.factory.PluginEnvironment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Connects to the first server that answers, starting with the last successful server. The server must also answer a
 * request: a server that accepts connections without answers is skipped like an unavailable server.
 *
 * <p>The library's own server set connects while holding a lock, so a single hanging server would delay all logins.
 */
final class ServersInTurn extends ServerSet {

    /** The messages of a login are small; the library's default would accept 20 megabytes from any server. */
    private static final int LONGEST_MESSAGE = 1 << 20;

    private final ServerSettings settings;

    @Nullable
    private final ServiceAccount account;

    private final PluginEnvironment environment;
    private final AtomicInteger answered = new AtomicInteger();

    /** @param account for the bind of connections; null for connections without a bind */
    ServersInTurn(PluginEnvironment environment, ServerSettings settings, @Nullable ServiceAccount account) {
        this.environment = environment;
        this.settings = settings;
        this.account = account;
    }

    @Override
    public LDAPConnection getConnection() throws LDAPException {
        List<ServerSettings.Server> servers = settings.servers();
        int first = answered.get();
        LDAPException failure = new LDAPException(ResultCode.CONNECT_ERROR, "No server");
        for (int i = 0; i < servers.size(); i++) {
            int at = (first + i) % servers.size();
            try {
                LDAPConnection connection = connect(servers.get(at));
                answered.set(at);
                return connection;
            } catch (LDAPException e) {
                failure = e;
                environment.count("server_failed");
                if (e.getResultCode().equals(ResultCode.INVALID_CREDENTIALS)) {
                    // The other servers have the same accounts, and each would count another wrong password.
                    break;
                }
            }
        }
        throw failure;
    }

    @Override
    public LDAPConnection getConnection(@Nullable LDAPConnectionPoolHealthCheck unused) throws LDAPException {
        return getConnection();
    }

    private LDAPConnection connect(ServerSettings.Server server) throws LDAPException {
        boolean isEncrypted = settings.encryption() == ServerSettings.Encryption.LDAPS;
        LDAPConnection connection =
                new LDAPConnection(isEncrypted ? new HostCheckedSockets(settings.tls()) : null, options());
        try {
            connection.connect(server.host(), server.port());
            if (settings.encryption() == ServerSettings.Encryption.START_TLS) {
                connection.processExtendedOperation(
                        new StartTLSExtendedRequest(new HostCheckedSockets(settings.tls())));
            }
            greet(connection);
            connection
                    .getConnectionOptions()
                    .setResponseTimeoutMillis(settings.timeout().toMillis());
            return connection;
        } catch (LDAPException | RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    /** Binds the service account. Without a service account, sends a search: any answer shows that the server works. */
    private void greet(LDAPConnection connection) throws LDAPException {
        if (account != null) {
            SimpleBindRequest login = account.bindRequest();
            connection.bind(login);
            return;
        }
        try {
            connection.search(
                    new SearchRequest("", SearchScope.BASE, FilterTemplate.anything(), SearchRequest.NO_ATTRIBUTES));
        } catch (LDAPSearchException e) {
            if (!e.getResultCode().isConnectionUsable()) {
                throw e;
            }
        }
    }

    private LDAPConnectionOptions options() {
        LDAPConnectionOptions options = new LDAPConnectionOptions();
        options.setConnectTimeoutMillis((int) settings.connectTimeout().toMillis());
        options.setResponseTimeoutMillis(settings.connectTimeout().toMillis());
        options.setMaxMessageSize(LONGEST_MESSAGE);
        options.setSSLSocketVerifier(new CertificateInTime());
        // Otherwise the target of a referral would receive passwords.
        options.setFollowReferrals(false);
        options.setBindWithDNRequiresPassword(true);
        // The time limit is for a whole answer. In synchronous mode, the limit would be for each byte.
        options.setUseSynchronousMode(false);
        options.setAbandonOnTimeout(true);
        return options;
    }
}
