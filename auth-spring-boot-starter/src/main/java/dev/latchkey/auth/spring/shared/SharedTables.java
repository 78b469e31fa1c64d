package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.jdbc.JdbcSchema;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** Checks the tables of revocations and sessions at the start. */
final class SharedTables {

    private static final Logger LOG = LoggerFactory.getLogger(SharedTables.class);

    private final DataSource database;

    SharedTables(DataSource database) {
        this.database = database;
    }

    /**
     * Checks the tables. A database that does not answer is asked again later.
     *
     * @throws LatchkeyConfigurationException if a table is missing
     */
    void prepare() {
        try {
            JdbcSchema schema = JdbcSchema.of(database);
            if (!JdbcSchema.hasTables(database)) {
                throw new LatchkeyConfigurationException(
                        "The database has no tables latchkey_revocation and latchkey_login with all columns that this version "
                                + "needs, which " + schema.script() + " makes, or its user lacks a right on them",
                        "Add that script of auth-jdbc to your migrations, or to spring.sql.init.schema-locations, and give the user the "
                                + "rights that the README of auth-jdbc lists. The script changes no table that is there: add missing "
                                + "columns yourself. To keep revocations in memory set "
                                + "latchkey.jdbc.enabled to false.");
            }
        } catch (IllegalStateException e) {
            throw new LatchkeyConfigurationException(
                    String.valueOf(e.getMessage()), "Set latchkey.jdbc.enabled to false, or use one of these.");
        } catch (SQLException | DataAccessException e) {
            LOG.warn(
                    "The database was not asked for its tables at the start: {}",
                    e.getClass().getSimpleName());
        }
    }
}
