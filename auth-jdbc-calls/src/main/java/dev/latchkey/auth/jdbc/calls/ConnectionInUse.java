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
    private @Nullable Connection connection;

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
        lock.lock();
        try {
            return connection != null;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the connection's socket, which ends the wait of the thread that uses the connection. */
    void abort() {
        lock.lock();
        try {
            if (connection != null) {
                connection.abort(Runnable::run);
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
