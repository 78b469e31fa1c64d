package dev.latchkey.auth.jdbc.databases;

import org.junit.jupiter.api.Tag;

/** The stores on MariaDB by the driver of MySQL, Connector/J. */
@Tag("faults")
class ConnectorJStoresTest extends StoreContract {

    private static final Server SERVER = MariaDbStoresTest.server("mysql", MariaDbStoresTest.port(), "by_connector")
            .withTables();
    private static final Server ANOTHER = MariaDbStoresTest.server(
                    "mysql", MariaDbStoresTest.port(), "another_by_connector")
            .withTables();

    @Override
    Server server() {
        return SERVER;
    }

    @Override
    Server another() {
        return ANOTHER;
    }
}
