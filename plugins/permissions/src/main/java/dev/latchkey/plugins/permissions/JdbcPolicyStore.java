package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.AuthUnavailableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Roles and permissions in three tables of the service's database; the scripts are in this package: {@code schema-postgresql.sql},
 * {@code schema-mysql.sql}, {@code schema-h2.sql}.
 *
 * <p>A row that is no permission, since somebody wrote it by hand, grants nothing and is named in the log once. Each statement has a
 * deadline. Safe for use by any number of threads.
 */
public final class JdbcPolicyStore implements PolicyStore {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcPolicyStore.class);

    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private static final String TABLES_MISSING =
            "The tables of permissions are not there, or not as this version needs them: run the script"
                    + " dev/latchkey/plugins/permissions/schema-….sql of the plugin's jar";

    /** More are the same mistake many times. */
    private static final int MOST_COMPLAINTS = 100;

    private static final int LONGEST_NAME = 255;

    private final JdbcTemplate jdbc;
    private final Set<String> complaints = ConcurrentHashMap.newKeySet();

    private JdbcPolicyStore(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A store in this database.
     *
     * @param dataSource of a database that has the tables
     * @return a store that nothing is asked of yet
     */
    public static JdbcPolicyStore in(DataSource dataSource) {
        JdbcTemplate jdbc = new JdbcTemplate(Objects.requireNonNull(dataSource, "dataSource"));
        jdbc.setQueryTimeout((int) DEADLINE.toSeconds());
        return new JdbcPolicyStore(jdbc);
    }

    @Override
    public Policy load() {
        return ask(() -> {
            Policy.Builder policy = Policy.builder();
            jdbc.query("SELECT role_name, resource, actions FROM latchkey_role_permission", row -> {
                addPermission(policy, row.getString(1), row.getString(2), row.getString(3));
            });
            jdbc.query("SELECT role_name, included FROM latchkey_role_include", row -> {
                policy.include(row.getString(1), row.getString(2));
            });
            return policy.build();
        });
    }

    /** Databases compare names in ways of their own, without case or trailing blanks say: here it is the same name or another one. */
    @Override
    public Set<String> rolesOf(String subjectId) {
        return ask(() -> {
            Set<String> roles = new HashSet<>();
            jdbc.query(
                    "SELECT subject, role_name FROM latchkey_subject_role WHERE subject = ?",
                    row -> {
                        if (subjectId.equals(row.getString(1))) {
                            roles.add(row.getString(2));
                        }
                    },
                    subjectId);
            return roles;
        });
    }

    /**
     * Lets a role do this, in place of what it could do with this resource before.
     *
     * @param role its name, compared character by character
     * @param resource a pattern, as the module's README describes
     * @param actions words between commas, {@code rw}, or {@code *}
     * @throws IllegalArgumentException if the resource is no pattern, or the actions are none
     */
    public void grant(String role, String resource, String actions) {
        Policy.builder().grant(requireName(role), resource, actions);
        String sorted = String.join(",", Actions.parse(actions));
        ask(() -> {
            if (update(
                            "UPDATE latchkey_role_permission SET actions = ? WHERE role_name = ? AND resource = ?",
                            sorted,
                            role,
                            resource)
                    == 0) {
                insert(
                        "INSERT INTO latchkey_role_permission (actions, role_name, resource) VALUES (?, ?, ?)",
                        sorted,
                        role,
                        resource);
            }
            return role;
        });
    }

    /**
     * Takes from a role all that it may do with the resources of this pattern; whether there was anything.
     *
     * @param role its name
     * @param resource the pattern exactly as it was granted, and no other one that it covers
     * @return {@code false} where nothing has changed
     */
    public boolean revoke(String role, String resource) {
        return ask(() ->
                update("DELETE FROM latchkey_role_permission WHERE role_name = ? AND resource = ?", role, resource)
                        > 0);
    }

    /**
     * Lets a role do all that another one may.
     *
     * @param role which one gets more
     * @param other what it may do is added
     * @throws IllegalArgumentException if the other one includes the role already: roles do not include each other
     */
    public void include(String role, String other) {
        requireName(role);
        requireName(other);
        ask(() -> {
            if (role.equals(other) || isIncluded(role, other)) {
                throw new IllegalArgumentException(
                        "Role '" + other + "' includes '" + role + "' already, so '" + role + "' cannot include it");
            }
            insert("INSERT INTO latchkey_role_include (role_name, included) VALUES (?, ?)", role, other);
            return role;
        });
    }

    /**
     * Ends that; whether it was so.
     *
     * @param role which one got more
     * @param other what it may do is taken away again
     * @return {@code false} where nothing has changed
     */
    public boolean exclude(String role, String other) {
        return ask(() ->
                update("DELETE FROM latchkey_role_include WHERE role_name = ? AND included = ?", role, other) > 0);
    }

    /**
     * Gives a subject a role.
     *
     * @param subjectId as {@code Subject#id()} has it
     * @param role its name; it need not be granted anything yet
     */
    public void assign(String subjectId, String role) {
        requireName(subjectId);
        requireName(role);
        ask(() -> {
            insert("INSERT INTO latchkey_subject_role (subject, role_name) VALUES (?, ?)", subjectId, role);
            return role;
        });
    }

    /**
     * Takes a role from a subject; whether it had it.
     *
     * @param subjectId as {@code Subject#id()} has it
     * @param role its name
     * @return {@code false} where nothing has changed
     */
    public boolean unassign(String subjectId, String role) {
        return ask(() ->
                update("DELETE FROM latchkey_subject_role WHERE subject = ? AND role_name = ?", subjectId, role) > 0);
    }

    private boolean isIncluded(String sought, String from) {
        Set<String> seen = new HashSet<>(Set.of(from));
        Set<String> next = new HashSet<>(seen);
        while (!next.isEmpty()) {
            String role = next.iterator().next();
            next.remove(role);
            for (String included : jdbc.queryForList(
                    "SELECT included FROM latchkey_role_include WHERE role_name = ?", String.class, role)) {
                if (included.equals(sought)) {
                    return true;
                }
                if (seen.add(included)) {
                    next.add(included);
                }
            }
        }
        return false;
    }

    private void addPermission(Policy.Builder policy, String role, String resource, String actions) {
        try {
            policy.grant(role, resource, actions);
        } catch (IllegalArgumentException e) {
            if (complaints.size() < MOST_COMPLAINTS && complaints.add(role + "\n" + resource + "\n" + actions)) {
                LOG.warn(
                        "A row of latchkey_role_permission for the role '{}' grants nothing: {}", role, e.getMessage());
            }
        }
    }

    private int update(String sql, Object... values) {
        return jdbc.update(sql, values);
    }

    /**
     * What is there already stays as it is. A statement that fails ends a transaction of PostgreSQL, which may be the caller's: there the insert
     * is undone by itself, whoever manages the transaction.
     */
    private void insert(String sql, Object... values) {
        try {
            jdbc.execute((Connection connection) -> insert(connection, sql, values));
        } catch (DuplicateKeyException e) {
            LOG.debug("It was there already", e);
        }
    }

    private static int insert(Connection connection, String sql, Object... values) throws SQLException {
        Savepoint before = connection.getAutoCommit() ? null : connection.setSavepoint();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setQueryTimeout((int) DEADLINE.toSeconds());
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            int rows = statement.executeUpdate();
            if (before != null) {
                connection.releaseSavepoint(before);
            }
            return rows;
        } catch (SQLException e) {
            if (before != null) {
                connection.rollback(before);
            }
            throw e;
        }
    }

    private static String requireName(String name) {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "A role or a subject has a name of 1 to " + LONGEST_NAME + " characters");
        }
        return name;
    }

    private static <T> T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (BadSqlGrammarException e) {
            throw AuthUnavailableException.outage(TABLES_MISSING, e);
        } catch (DataAccessException e) {
            throw AuthUnavailableException.outage("The permissions could not be read or written", e);
        }
    }
}
