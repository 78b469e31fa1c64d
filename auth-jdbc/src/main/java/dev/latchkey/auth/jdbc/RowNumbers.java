package dev.latchkey.auth.jdbc;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.jdbc.support.GeneratedKeyHolder;

/**
 * The numbers that a database gives to the rows of a table. All readers expect that a later row has a higher number. If rows
 * are copied without the state of the sequence, new rows get lower numbers, and no reader would see the new rows.
 */
final class RowNumbers {

    private static final String COLUMN = "seq";

    private RowNumbers() {}

    /**
     * Inserts one row.
     *
     * @param highest the highest number before the INSERT; zero without rows
     * @return the number of the new row
     * @throws AuthUnavailableException if no row is stored, or if its number is not beyond {@code highest}; the caller's transaction
     *     must end without a commit
     */
    static long insert(StatementSpec row, String table, long highest) {
        GeneratedKeyHolder keys = new GeneratedKeyHolder();
        // With a fetch size of one, PostgreSQL's driver may not know the number of inserted rows.
        int unused = row.update(keys, COLUMN);
        List<Map<String, Object>> numbers = keys.getKeyList();
        if (numbers.isEmpty()) {
            throw AuthUnavailableException.outage("The database has stored no row in " + table
                    + ": remove triggers and rules that drop or move its rows");
        }
        long number = ((Number) numbers.get(0).values().iterator().next()).longValue();
        requireGrowth(table, highest, number);
        return number;
    }

    /** @throws AuthUnavailableException if the later number is not beyond the earlier number */
    static void requireGrowth(String table, long earlier, long later) {
        if (later <= earlier) {
            throw behind(table);
        }
    }

    static AuthUnavailableException behind(String table) {
        return AuthUnavailableException.outage(
                "The next number of " + table + " is behind its rows: set its identity beyond the highest seq");
    }
}
