package dev.latchkey.auth.jdbc.calls;

import java.sql.Connection;
import java.sql.SQLException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The products whose servers say whether they accept changes. The question takes no lock: a dump or a new index locks tables for
 * changes alone, and readings must go on.
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

    /** MariaDB too. Replicas that share the primary's files have the second variable. */
    MYSQL {
        @Override
        boolean acceptsChanges(JdbcClient jdbc, String table) {
            return areOff(jdbc.sql("SELECT CONCAT(@@GLOBAL.read_only, ' ', @@GLOBAL.innodb_read_only)")
                    .query(String.class)
                    .single());
        }
    },

    /** A server without changes refuses a DELETE of no rows with an error. */
    OTHER {
        @Override
        boolean acceptsChanges(JdbcClient jdbc, String table) {
            return jdbc.sql("DELETE FROM " + table + " WHERE 1 = 0").update() == 0;
        }
    };

    /** Whether the server is no replica, and is not read-only. */
    abstract boolean acceptsChanges(JdbcClient jdbc, String table);

    /** MariaDB 12 gives the first variable words. Of an unknown word nothing is known. */
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
