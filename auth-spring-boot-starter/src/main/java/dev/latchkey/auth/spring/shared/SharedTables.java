package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.jdbc.JdbcSchema;
import dev.latchkey.auth.spring.settings.JdbcProperties.Initialization;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** Creates the tables of revocations and sessions on request, and always checks them. */
final class SharedTables {

    private static final Logger LOG = LoggerFactory.getLogger(SharedTables.class);

    private final DataSource database;
    private final Initialization initialization;

    SharedTables(DataSource database, Initialization initialization) {
        this.database = database;
        this.initialization = initialization;
    }

    /**
     * Checks the tables. A database that does not answer is asked again later.
     *
     * @throws LatchkeyConfigurationException if a table is missing
     */
    void prepare() {
        try {
            JdbcSchema schema = JdbcSchema.of(database);
            if (!JdbcSchema.hasTables(database) && initialization == Initialization.ALWAYS) {
                run(schema);
            }
            if (!JdbcSchema.hasTables(database)) {
                throw new LatchkeyConfigurationException(
                        "The database has no tables latchkey_revocation and latchkey_login with all columns that this version "
                                + "needs, which " + schema.script() + " makes, or its user lacks a right on them",
                        "Add that script of auth-jdbc to your migrations, give the user the rights that its README lists, or set "
                                + "latchkey.jdbc.initialize-schema to always. The script changes no table that is there: add "
                                + "missing columns yourself. To keep revocations in memory set "
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

    /** Another node may create the tables at the same time. Some databases then report an error, and the tables exist. */
    private void run(JdbcSchema schema) {
        try {
            DatabasePopulatorUtils.execute(
                    new ResourceDatabasePopulator(new ClassPathResource(schema.script())), database);
            LOG.info("The tables of revocations and logins were made by {}", schema.script());
        } catch (DataAccessException e) {
            if (!JdbcSchema.hasTables(database)) {
                throw new LatchkeyConfigurationException(
                        "The tables of revocations and logins could not be made: "
                                + e.getClass().getSimpleName(),
                        "Let a user who may make tables run " + schema.script() + " of auth-jdbc.");
            }
        }
    }
}
