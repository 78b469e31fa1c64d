package dev.latchkey.auth.jdbc.databases;

import org.junit.jupiter.api.condition.EnabledIf;

/** The stores on the MySQL of this machine, for the documented user, by Connector/J. */
@EnabledIf(
        value = "dev.latchkey.auth.jdbc.databases.MySqlServer#isInstalled",
        disabledReason = "This machine has no program mysqld of MySQL 8 or newer")
class MySqlStoresTest extends StoreContract {

    /** Started with the first test, not by the condition above. */
    private static final class Started {

        static final int PORT = MySqlServer.start();
        static final Server SERVER = database("latchkey").withTables().limited();
        static final Server ANOTHER = database("another").withTables();
    }

    private static Server database(String name) {
        return new Server(
                "jdbc:mysql://127.0.0.1:" + Started.PORT + "/" + name + "?createDatabaseIfNotExist=true",
                "root",
                new Server.Dialects("mysql", "mysql", "mysql"));
    }

    @Override
    Server server() {
        return Started.SERVER;
    }

    @Override
    Server another() {
        return Started.ANOTHER;
    }
}
