package dev.latchkey.auth.jdbc.databases;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stores on MySQL 8 by Connector/J, for the documented user. The profile "mysql" has the server and runs this test. */
@Tag("mysql")
class MySqlStoresTest extends StoreContract {

    private static final int PORT = MySqlServer.start();
    private static final Server SERVER = server(PORT, "latchkey").withTables().limited();
    private static final Server ANOTHER = server(PORT, "another").withTables();

    static int port() {
        return PORT;
    }

    static Server server(int port, String database) {
        return new Server(
                "jdbc:mysql://127.0.0.1:" + port + "/" + database + "?createDatabaseIfNotExist=true",
                "root",
                new Server.Dialects("mysql", "mysql"));
    }

    @Override
    Server server() {
        return SERVER;
    }

    @Override
    Server another() {
        return ANOTHER;
    }

    @ParameterizedTest
    @EnumSource
    void serverThatAcceptsNoChanges_answersNoQuestion(Store store) {
        assertNoAnswerWithoutChanges(
                store, server(PORT, "latchkey"), "SET GLOBAL read_only = 1", "SET GLOBAL read_only = 0");
    }

    @ParameterizedTest
    @EnumSource
    void tableThatIsLockedForChanges_answers(Store store) throws SQLException {
        assertAnswersBeside(store, server(PORT, "latchkey"), "LOCK TABLES " + store.table() + " READ");
    }
}
