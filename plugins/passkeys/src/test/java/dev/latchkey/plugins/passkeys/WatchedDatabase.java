package dev.latchkey.plugins.passkeys;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database where a test acts before a connection, before an INSERT, or after a commit. */
final class WatchedDatabase extends DelegatingDataSource {

    @FunctionalInterface
    interface Step {

        Step NONE = () -> {};

        void take() throws SQLException;
    }

    volatile Step beforeConnection = Step.NONE;
    volatile Step beforeInsert = Step.NONE;
    volatile Step afterCommit = Step.NONE;

    WatchedDatabase(DataSource database) {
        super(database);
    }

    @Override
    public Connection getConnection() throws SQLException {
        beforeConnection.take();
        Connection real = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                WatchedDatabase.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                    String name = method.getName();
                    if (name.equals("prepareStatement") && ((String) arguments[0]).startsWith("INSERT")) {
                        beforeInsert.take();
                    }
                    Object result;
                    try {
                        result = method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (name.equals("commit")) {
                        afterCommit.take();
                    }
                    return result;
                });
    }
}
