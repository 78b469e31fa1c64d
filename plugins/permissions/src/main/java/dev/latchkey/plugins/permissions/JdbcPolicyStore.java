package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.jdbc.calls.DatabaseCalls;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Roles and permissions in three tables of the service's database; the scripts are in this package: {@code schema-postgresql.sql},
 * {@code schema-mysql.sql}, {@code schema-h2.sql}.
 *
 * <p>Each call has a transaction of its own, a deadline of {@link DatabaseCalls#DEADLINE}, and a thread of this store, as {@link DatabaseCalls} describes. A change
 * therefore stays where the caller's transaction is rolled back, and a policy that all requests use holds committed rows alone.
 *
 * <p>A row that is no permission, since somebody wrote it by hand, grants nothing and is named in the log once. Safe for use by any number of threads.
 */
public final class JdbcPolicyStore implements PolicyStore {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcPolicyStore.class);

    private static final String TABLES_MISSING =
            "The tables of permissions are not there, or not as this version needs them: run the script"
                    + " dev/latchkey/plugins/permissions/schema-….sql of the plugin's jar";

    /** One statement, since a statement reads one snapshot: two would mix a policy of before a change with one of after it. */
    private static final String POLICY = "SELECT role_name, resource, actions, 1 FROM latchkey_role_permission"
            + " UNION ALL SELECT role_name, included, NULL, 2 FROM latchkey_role_include";

    private static final int PERMISSION = 1;

    private static final String INSERT_PERMISSION =
            "INSERT INTO latchkey_role_permission (actions, role_name, resource) VALUES (?, ?, ?)";

    /** More are the same mistake many times. */
    private static final int MOST_COMPLAINTS = 100;

    private static final int LONGEST_NAME = 255;

    private final DatabaseCalls database;
    private final Set<String> complaints = ConcurrentHashMap.newKeySet();

    private JdbcPolicyStore(DatabaseCalls database) {
        this.database = database;
    }

    /**
     * A store in this database.
     *
     * @param dataSource of a primary that has the tables; a call takes one connection, and four are taken at most
     * @return a store that nothing is asked of yet
     */
    public static JdbcPolicyStore in(DataSource dataSource) {
        return new JdbcPolicyStore(DatabaseCalls.of(dataSource, TABLES_MISSING));
    }

    @Override
    public Policy load() {
        return database.call(jdbc -> {
            Policy.Builder policy = Policy.builder();
            jdbc.sql(POLICY).query(row -> {
                if (row.getInt(4) == PERMISSION) {
                    addPermission(policy, row.getString(1), row.getString(2), row.getString(3));
                } else {
                    policy.include(row.getString(1), row.getString(2));
                }
            });
            return policy.build();
        });
    }

    /** Databases compare names in ways of their own, without case or trailing blanks say: here it is the same name or another one. */
    @Override
    public Set<String> rolesOf(String subjectId) {
        return database.call(jdbc -> {
            Set<String> roles = new HashSet<>();
            jdbc.sql("SELECT subject, role_name FROM latchkey_subject_role WHERE subject = ?")
                    .param(subjectId)
                    .query(row -> {
                        if (subjectId.equals(row.getString(1))) {
                            roles.add(row.getString(2));
                        }
                    });
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
        try {
            database.call(jdbc -> {
                int rows = update(jdbc, sorted, role, resource);
                return rows > 0 ? rows : run(jdbc, INSERT_PERMISSION, sorted, role, resource);
            });
        } catch (DuplicateKeyException e) {
            // Another node has granted the same meanwhile: now there is a row to update.
            database.call(jdbc -> update(jdbc, sorted, role, resource));
        }
    }

    private static int update(JdbcClient jdbc, String actions, String role, String resource) {
        return run(
                jdbc,
                "UPDATE latchkey_role_permission SET actions = ? WHERE role_name = ? AND resource = ?",
                actions,
                role,
                resource);
    }

    /**
     * Takes from a role all that it may do with the resources of this pattern; whether there was anything.
     *
     * @param role its name
     * @param resource the pattern exactly as it was granted, and no other one that it covers
     * @return {@code false} where nothing has changed
     */
    public boolean revoke(String role, String resource) {
        return hasChanged("DELETE FROM latchkey_role_permission WHERE role_name = ? AND resource = ?", role, resource);
    }

    /**
     * Lets a role do all that another one may. Two nodes that let two roles include each other at the same moment both succeed: each role may then do what the
     * other one may.
     *
     * @param role which one gets more
     * @param other what it may do is added
     * @throws IllegalArgumentException if the other one includes the role already: roles do not include each other
     */
    public void include(String role, String other) {
        requireName(role);
        requireName(other);
        unlessThere(jdbc -> {
            if (role.equals(other) || isIncluded(jdbc, role, other)) {
                throw new IllegalArgumentException(
                        "Role '" + other + "' includes '" + role + "' already, so '" + role + "' cannot include it");
            }
            return run(jdbc, "INSERT INTO latchkey_role_include (role_name, included) VALUES (?, ?)", role, other);
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
        return hasChanged("DELETE FROM latchkey_role_include WHERE role_name = ? AND included = ?", role, other);
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
        unlessThere(jdbc ->
                run(jdbc, "INSERT INTO latchkey_subject_role (subject, role_name) VALUES (?, ?)", subjectId, role));
    }

    /**
     * Takes a role from a subject; whether it had it.
     *
     * @param subjectId as {@code Subject#id()} has it
     * @param role its name
     * @return {@code false} where nothing has changed
     */
    public boolean unassign(String subjectId, String role) {
        return hasChanged("DELETE FROM latchkey_subject_role WHERE subject = ? AND role_name = ?", subjectId, role);
    }

    private static boolean isIncluded(JdbcClient jdbc, String sought, String from) {
        Set<String> seen = new HashSet<>(Set.of(from));
        Set<String> next = new HashSet<>(seen);
        while (!next.isEmpty()) {
            String role = next.iterator().next();
            next.remove(role);
            List<String> all = jdbc.sql("SELECT included FROM latchkey_role_include WHERE role_name = ?")
                    .param(role)
                    .query(String.class)
                    .list();
            for (String included : all) {
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

    private boolean hasChanged(String sql, Object... values) {
        return database.call(jdbc -> run(jdbc, sql, values) > 0);
    }

    /** What is there already stays as it is. */
    private void unlessThere(Function<JdbcClient, Integer> insert) {
        try {
            database.call(insert);
        } catch (DuplicateKeyException e) {
            LOG.debug("It was there already");
        }
    }

    private static int run(JdbcClient jdbc, String sql, Object... values) {
        return jdbc.sql(sql).params(values).update();
    }

    private static String requireName(String name) {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "A role or a subject has a name of 1 to " + LONGEST_NAME + " characters");
        }
        return name;
    }
}
