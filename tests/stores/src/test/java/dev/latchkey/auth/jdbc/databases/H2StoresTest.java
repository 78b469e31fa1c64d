package dev.latchkey.auth.jdbc.databases;

import java.util.UUID;

class H2StoresTest extends StoreContract {

    private static final Server SERVER = made();
    private static final Server ANOTHER = made();

    private static Server made() {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        return new Server(url, "sa", new Server.Dialects("h2", "h2")).withTables();
    }

    @Override
    Server server() {
        return SERVER;
    }

    @Override
    Server another() {
        return ANOTHER;
    }
}
