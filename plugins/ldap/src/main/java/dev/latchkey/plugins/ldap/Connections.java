package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionPool;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import dev.latchkey.auth.factory.PluginEnvironment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Open connections of one kind: for the service's account, or for password checks. A connection returns to the pool
 * only if the server answered on the connection.
 */
final class Connections implements AutoCloseable {

    /** Firewalls silently drop idle connections. */
    private static final Duration LONGEST_LIFE = Duration.ofMinutes(3);

    private final LDAPConnectionPool pool;

    /** @param account for the bind; null for none */
    Connections(PluginEnvironment environment, ServerSettings settings, @Nullable ServiceAccount account) {
        try {
            // Without a first connection: an unavailable directory must not prevent the service's start.
            pool = new LDAPConnectionPool(
                    new ServersInTurn(environment, settings, account), null, 0, settings.maxCalls(), null, false);
        } catch (LDAPException e) {
            throw new IllegalStateException("A pool without connections cannot fail to connect", e);
        }
        pool.setConnectionPoolName(environment.name());
        pool.setMaxConnectionAgeMillis(LONGEST_LIFE.toMillis());
    }

    /** A question on one connection. */
    interface Question<T> {
        T ask(LDAPConnection connection) throws LDAPException;
    }

    /**
     * Asks on an open connection; on a new connection if the server has just closed the first, for example during a
     * restart.
     */
    <T> T ask(Question<T> question) throws LDAPException {
        LDAPConnection connection = pool.getConnection();
        try {
            return ask(connection, question);
        } catch (LDAPException e) {
            if (!e.getResultCode().equals(ResultCode.SERVER_DOWN)) {
                throw e;
            }
            return ask(pool.replaceDefunctConnection(connection), question);
        }
    }

    private <T> T ask(LDAPConnection connection, Question<T> question) throws LDAPException {
        boolean isUsable = false;
        try {
            T answer = question.ask(connection);
            isUsable = true;
            return answer;
        } catch (LDAPException e) {
            isUsable = e.getResultCode().isConnectionUsable();
            throw e;
        } finally {
            if (isUsable) {
                pool.releaseConnection(connection);
            } else {
                pool.discardConnection(connection);
            }
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
