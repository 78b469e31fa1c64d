package dev.latchkey.auth.jdbc.databases;

import com.zaxxer.hikari.HikariDataSource;

/** The databases and drivers for histories of several nodes. The server's time zone differs from the JVM's. */
public enum HistoryDatabase {
    POSTGRESQL {
        @Override
        Server server(int port) {
            return new Server(
                    "jdbc:postgresql://127.0.0.1:" + port + "/postgres?options=-c%20TimeZone=America/Bogota",
                    "postgres",
                    new Server.Dialects("postgresql", "postgresql"));
        }

        @Override
        public int port() {
            return PostgresStoresTest.port();
        }
    },
    MARIADB {
        @Override
        Server server(int port) {
            return MariaDbStoresTest.server("mariadb", port, "latchkey");
        }

        @Override
        public int port() {
            return MariaDbStoresTest.port();
        }
    },
    /** The same server with the driver of MySQL. */
    MARIADB_BY_CONNECTOR_J {
        @Override
        Server server(int port) {
            return MariaDbStoresTest.server("mysql", port, "latchkey");
        }

        @Override
        public int port() {
            return MariaDbStoresTest.port();
        }
    },
    MYSQL {
        @Override
        Server server(int port) {
            return MySqlStoresTest.server(port, "latchkey");
        }

        @Override
        public int port() {
            return MySqlStoresTest.port();
        }
    };

    abstract Server server(int port);

    /** The port of the server, which starts with the first call. */
    public abstract int port();

    /** A pool of a service that reaches the server at this port. */
    public HikariDataSource pool(int port) {
        return server(port).pool(Pool.DEFAULT);
    }
}
