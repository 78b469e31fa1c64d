package dev.latchkey.auth.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database with a commit that takes place, and whose acknowledgement the test drops or delays. */
final class BrokenCommits extends DelegatingDataSource {

    /** What a test does to a connection or a commit. */
    @FunctionalInterface
    interface Fault {

        Fault NONE = () -> {};

        void happen() throws SQLException;
    }

    private volatile Fault beforeConnection = Fault.NONE;
    private volatile Fault beforeCommit = Fault.NONE;
    private volatile Fault afterCommit = Fault.NONE;

    BrokenCommits(DataSource database) {
        super(database);
    }

    /** The next commit takes place, and then the connection breaks. */
    void loseNextAcknowledgement() {
        afterCommit = () -> {
            throw new SQLRecoverableException("An I/O error occurred while sending to the backend", "08006");
        };
    }

    /** Each caller for the next connection waits here. */
    void beforeNextConnection(Fault fault) {
        beforeConnection = fault;
    }

    /** The next commit waits for this. */
    void beforeNextCommit(Fault fault) {
        beforeCommit = fault;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Fault fault = beforeConnection;
        beforeConnection = Fault.NONE;
        fault.happen();
        Connection real = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    try {
                        if (!method.getName().equals("commit")) {
                            return method.invoke(real, arguments);
                        }
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    commit(real);
                    return null;
                });
    }

    private void commit(Connection real) throws SQLException {
        Fault before = beforeCommit;
        Fault after = afterCommit;
        beforeCommit = Fault.NONE;
        afterCommit = Fault.NONE;
        before.happen();
        real.commit();
        after.happen();
    }
}
