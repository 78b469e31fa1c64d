package dev.latchkey.auth.password.upgrade;

import dev.latchkey.auth.AuthUnavailableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Hashes in a table column. The UPDATE has the expected hash in its condition, so the database compares and sets. The
 * column must hold 200 characters: some databases cut longer values, and a cut hash locks the account out. The database
 * gives up after two seconds, for example while another transaction holds a lock. Safe for use by any number of
 * threads, like a {@link DataSource}.
 */
public final class JdbcStoredPasswords implements StoredPasswords {

    /** Names become part of the statement's text, where parameters are not possible. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}(\\.[A-Za-z_][A-Za-z0-9_]{0,62})?");

    /** A login may wait for the statement. */
    private static final int MOST_SECONDS = 2;

    private final DataSource dataSource;
    private final String update;

    /**
     * For a table such as Spring's {@code users(username, password)}. The names become part of the statement unchanged.
     *
     * @param dataSource asked for a connection at each replacement
     * @param table the table, optionally with its schema and a dot
     * @param accountColumn the column that identifies a row
     * @param passwordColumn the column with the hash
     * @throws IllegalArgumentException if a name has more than letters, digits, underscores and one dot
     */
    public JdbcStoredPasswords(DataSource dataSource, String table, String accountColumn, String passwordColumn) {
        this.dataSource = dataSource;
        this.update = "UPDATE " + name(table) + " SET " + name(passwordColumn) + " = ? WHERE " + name(accountColumn)
                + " = ? AND " + name(passwordColumn) + " = ?";
    }

    /**
     * {@inheritDoc}
     *
     * @throws AuthUnavailableException if the database fails, or has not replaced the hash in time
     */
    @Override
    public boolean replace(String account, String expected, String replacement) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(update)) {
            statement.setQueryTimeout(MOST_SECONDS);
            statement.setString(1, replacement);
            statement.setString(2, account);
            statement.setString(3, expected);
            boolean replaced = statement.executeUpdate() > 0;
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            return replaced;
        } catch (SQLException e) {
            throw AuthUnavailableException.outage("The database did not take a new password hash", e);
        }
    }

    private static String name(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "A table or column is named with letters, digits and underscores, and a table's schema before one dot");
        }
        return name;
    }
}
