package dev.latchkey.auth.jdbc.calls;

import java.sql.Connection;
import java.sql.SQLException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Asks a server of each product whether the server accepts changes. PostgreSQL, MySQL and MariaDB answer without a lock on a
 * table. A dump or a new index locks a table against changes, and reads must go on.
 */
enum Product {
    POSTGRESQL {
        @Override
        boolean acceptsChanges(JdbcClient jdbc, String table) {
            return "off"
                    .equals(jdbc.sql("SHOW transaction_read_only")
                            .query(String.class)
                            .single());
        }
    },

    /** MySQL and MariaDB. The second variable is on for replicas that share the primary's files. */
    MYSQL {
        @Override
        boolean acceptsChanges(JdbcClient jdbc, String table) {
            return areOff(jdbc.sql("SELECT CONCAT(@@GLOBAL.read_only, ' ', @@GLOBAL.innodb_read_only)")
                    .query(String.class)
                    .single());
        }
    },

    /** A server that accepts no changes rejects a DELETE with an error, even a DELETE of no rows. */
    OTHER {
        @Override
        boolean acceptsChanges(JdbcClient jdbc, String table) {
            return jdbc.sql("DELETE FROM " + table + " WHERE 1 = 0").update() == 0;
        }
    };

    /** Whether the server accepts changes. A replica may also answer with an exception. */
    abstract boolean acceptsChanges(JdbcClient jdbc, String table);

    /** In MariaDB 12, the values of the first variable are words. An unknown word does not count as off. */
    static boolean areOff(String variables) {
        return variables.matches("(0|OFF) (0|OFF)");
    }

    static Product of(Connection connection) {
        try {
            return switch (connection.getMetaData().getDatabaseProductName()) {
                case "PostgreSQL" -> POSTGRESQL;
                case "MySQL", "MariaDB" -> MYSQL;
                default -> OTHER;
            };
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException("The database does not tell its product", e);
        }
    }
}
