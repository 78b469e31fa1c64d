package dev.latchkey.auth.jdbc;

import dev.latchkey.auth.contract.LoginStoreContract;
import dev.latchkey.auth.contract.SharedRevocationStoreContract;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.sql.SQLException;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The stores keep what the contracts ask, on each database. */
@Tag("long")
class StoreContractsTest {

    /** Makes an empty database. */
    @FunctionalInterface
    interface Maker {
        TestDatabase make() throws SQLException;
    }

    /** One database for all tests, which stays up between tests. */
    interface OfPostgres {}

    abstract static class Revocations extends SharedRevocationStoreContract {

        private final Maker maker;
        private TestDatabase database;

        Revocations(Maker maker) {
            this.maker = maker;
        }

        @BeforeEach
        void open() throws SQLException {
            database = maker.make();
        }

        @AfterEach
        void close() {
            database.cutOff();
            if (!(this instanceof OfPostgres)) {
                database.close();
            }
        }

        @Override
        protected SharedRevocationStore node(InstantSource clock) {
            return node(TestDatabase.SHOP, clock);
        }

        /** The name differs in the case of a letter, and a collation might ignore case. */
        @Override
        protected SharedRevocationStore nodeOfAnotherService(InstantSource clock) {
            return node(new ServiceName("Shop"), clock);
        }

        private SharedRevocationStore node(ServiceName service, InstantSource clock) {
            return new JdbcRevocationStore(TestDatabase.patient(database), service, LONGEST_LIFETIME, clock, 50);
        }

        @Override
        protected int tokensOfOneSubject() {
            return 120;
        }

        @Override
        protected void breakDown() {
            database.cutOff();
        }

        @Override
        protected void repair() {
            database.reconnect();
        }
    }

    abstract static class Logins extends LoginStoreContract {

        private final Maker maker;
        private TestDatabase database;

        Logins(Maker maker) {
            this.maker = maker;
        }

        @BeforeEach
        void open() throws SQLException {
            database = maker.make();
        }

        @AfterEach
        void close() {
            database.cutOff();
            if (!(this instanceof OfPostgres)) {
                database.close();
            }
        }

        @Override
        protected LoginStore node(InstantSource clock) {
            return new JdbcLoginStore(TestDatabase.patient(database), TestDatabase.SHOP, clock);
        }

        @Override
        protected LoginStore nodeOfAnotherService(InstantSource clock) {
            return new JdbcLoginStore(TestDatabase.patient(database), new ServiceName("Shop"), clock);
        }

        @Override
        protected void breakDown() {
            database.cutOff();
        }

        @Override
        protected void repair() {
            database.reconnect();
        }
    }

    @Nested
    class RevocationsInH2 extends Revocations {
        RevocationsInH2() {
            super(TestDatabase::h2);
        }
    }

    @Nested
    class LoginsInH2 extends Logins {
        LoginsInH2() {
            super(TestDatabase::h2);
        }
    }

    @Nested
    class RevocationsInH2AsMySql extends Revocations {
        RevocationsInH2AsMySql() {
            super(TestDatabase::h2AsMySql);
        }
    }

    @Nested
    class LoginsInH2AsMySql extends Logins {
        LoginsInH2AsMySql() {
            super(TestDatabase::h2AsMySql);
        }
    }

    @Nested
    class RevocationsInPostgres extends Revocations implements OfPostgres {
        RevocationsInPostgres() {
            super(PostgresServer::database);
        }
    }

    @Nested
    class LoginsInPostgres extends Logins implements OfPostgres {
        LoginsInPostgres() {
            super(PostgresServer::database);
        }
    }
}
