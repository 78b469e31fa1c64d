package dev.latchkey.testsupport;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database where a test acts before a connection, before an INSERT, or after a commit. */
public final class WatchedDatabase {

    /** An action of a test, on the thread of the store. */
    @FunctionalInterface
    public interface Step {

        void take() throws SQLException;
    }

    private final DataSource real;
    private volatile Step beforeConnection = () -> {};
    private volatile Step beforeInsert = () -> {};
    private volatile Step afterCommit = () -> {};

    public WatchedDatabase(DataSource real) {
        this.real = real;
    }

    public void beforeConnection(Step step) {
        beforeConnection = step;
    }

    public void beforeInsert(Step step) {
        beforeInsert = step;
    }

    public void afterCommit(Step step) {
        afterCommit = step;
    }

    /** The database for a store. */
    public DataSource dataSource() {
        return proxy(DataSource.class, (self, method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                return call(real, method, arguments);
            }
            beforeConnection.take();
            return watched((Connection) Objects.requireNonNull(call(real, method, arguments)));
        });
    }

    private Connection watched(Connection connection) {
        return proxy(Connection.class, (self, method, arguments) -> {
            if (method.getName().equals("prepareStatement") && ((String) arguments[0]).startsWith("INSERT")) {
                beforeInsert.take();
            }
            Object result = call(connection, method, arguments);
            if (method.getName().equals("commit")) {
                afterCommit.take();
            }
            return result;
        });
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(WatchedDatabase.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
