package dev.latchkey.auth.jdbc.calls;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a call, until the pool gets the connection back. The lock guarantees that no connection of another
 * user is aborted. Safe for use by any number of threads.
 */
final class ConnectionInUse {

    private final ReentrantLock lock = new ReentrantLock();
    /** Written under the lock. */
    private volatile @Nullable Connection connection;

    void begin(Connection taken) {
        lock.lock();
        try {
            connection = taken;
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            connection = null;
        } finally {
            lock.unlock();
        }
    }

    boolean isTaken() {
        return connection != null;
    }

    /**
     * Closes the connection's socket, which ends the wait of the thread that uses the connection. May take as long as the driver: MariaDB's
     * opens a further connection for this.
     */
    void abort() {
        lock.lock();
        try {
            Connection used = connection;
            if (used != null) {
                used.abort(Runnable::run);
                connection = null;
            }
        } catch (SQLException e) {
            // The connection is broken, and its thread will notice.
            connection = null;
        } finally {
            lock.unlock();
        }
    }
}
