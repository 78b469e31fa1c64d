package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.jdbc.JdbcSchema;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A database in memory for the nodes of a test. */
final class SharedDatabase {

    private SharedDatabase() {}

    static JdbcDataSource empty() {
        return named("");
    }

    /** With the script of {@code auth-jdbc}, which may run again: H2 runs the script on each connection. */
    static JdbcDataSource withTables() {
        return named(";INIT=RUNSCRIPT FROM 'classpath:" + JdbcSchema.H2.script() + "'");
    }

    static JdbcDataSource without(String table) {
        JdbcDataSource h2 = empty();
        JdbcTemplate sql = new JdbcTemplate(h2);
        sql.execute("RUNSCRIPT FROM 'classpath:" + JdbcSchema.H2.script() + "'");
        sql.execute("DROP TABLE " + table);
        return h2;
    }

    private static JdbcDataSource named(String settings) {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" + settings);
        return h2;
    }
}
