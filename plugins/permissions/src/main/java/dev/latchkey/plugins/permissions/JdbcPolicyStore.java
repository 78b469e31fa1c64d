package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.factory.PluginConfigException;
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
 * Roles and permissions in three tables of the service's database. The scripts are in this package:
 * {@code schema-postgresql.sql}, {@code schema-mysql.sql}, {@code schema-mariadb.sql}, {@code schema-h2.sql}.
 *
 * <p>Each call has its own transaction, a time limit of {@link DatabaseCalls#DEADLINE}, and a thread of this store
 * ({@link DatabaseCalls}). Therefore a change stays even if the caller's transaction is rolled back, and the shared
 * policy contains only committed rows.
 *
 * <p>A malformed permission, for example from a row written by hand, grants nothing and is logged once. Safe for use by
 * any number of threads.
 */
public final class JdbcPolicyStore implements PolicyStore {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcPolicyStore.class);

    private static final String TABLES_MISSING =
            "The tables of permissions are missing or do not match this version: run the script"
                    + " dev/latchkey/plugins/permissions/schema-….sql of the plugin's jar";

    /**
     * One statement, because a statement reads one snapshot: two statements could mix the policy from before and after
     * a change.
     */
    private static final String POLICY = "SELECT role_name, resource, actions, 1 FROM latchkey_role_permission"
            + " UNION ALL SELECT role_name, included, NULL, 2 FROM latchkey_role_include";

    private static final int PERMISSION = 1;

    private static final String INSERT_PERMISSION =
            "INSERT INTO latchkey_role_permission (actions, role_name, resource) VALUES (?, ?, ?)";

    /** More complaints would repeat the same mistake. */
    private static final int MOST_COMPLAINTS = 100;

    private static final int LONGEST_NAME = 255;

    private final DatabaseCalls database;
    private final Set<String> complaints = ConcurrentHashMap.newKeySet();

    private JdbcPolicyStore(DatabaseCalls database) {
        this.database = database;
    }

    /**
     * Creates a store in this database.
     *
     * @param dataSource of the primary server, with the tables; each call takes a connection, and at most four calls run
     *     at the same time
     * @return a new store; the database is not used yet
     */
    public static JdbcPolicyStore in(DataSource dataSource) {
        return new JdbcPolicyStore(DatabaseCalls.of(dataSource, TABLES_MISSING));
    }

    /**
     * Checks the tables at the start of a service. If the database does not answer, the check passes.
     *
     * @throws PluginConfigException if a table or a column is missing, or the database's user may not read a table; the
     *     message names the script
     */
    public void requireTables() {
        database.missingTables(
                        "SELECT role_name, resource, actions FROM latchkey_role_permission WHERE 1 = 0",
                        "SELECT role_name, included FROM latchkey_role_include WHERE 1 = 0",
                        "SELECT subject, role_name FROM latchkey_subject_role WHERE 1 = 0")
                .ifPresent(missing -> {
                    throw new PluginConfigException(missing);
                });
    }

    @Override
    public Policy load() {
        return database.read("latchkey_role_permission", jdbc -> {
            Policy.Builder policy = Policy.builder();
            jdbc.sql(POLICY).query(row -> {
                String role = row.getString(1);
                String other = row.getString(2);
                if (row.getInt(4) == PERMISSION) {
                    String actions = row.getString(3);
                    add(
                            "latchkey_role_permission",
                            role,
                            other + "\n" + actions,
                            () -> policy.grant(role, other, actions));
                } else {
                    add("latchkey_role_include", role, other, () -> policy.include(role, other));
                }
            });
            return policy.build();
        });
    }

    /** The service's own tables may compare ids without case. Here, two ids are equal only if all characters are equal. */
    @Override
    public Set<String> rolesOf(String subjectId) {
        return database.read("latchkey_subject_role", jdbc -> {
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
     * Grants actions to a role, and replaces earlier actions for this resource.
     *
     * @param role its name, compared character by character
     * @param resource a pattern, described in the module's README
     * @param actions words separated by commas, {@code rw}, or {@code *}
     * @throws IllegalArgumentException if the role, the resource or the actions are malformed
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
            // Another call has inserted the row meanwhile, so the row can be updated.
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
     * Revokes all actions of a role for this pattern.
     *
     * @param role its name
     * @param resource exactly the granted pattern; other patterns stay
     * @return {@code false} if nothing has changed
     */
    public boolean revoke(String role, String resource) {
        return hasChanged("DELETE FROM latchkey_role_permission WHERE role_name = ? AND resource = ?", role, resource);
    }

    /**
     * Adds another role's permissions to a role. If two nodes let two roles include each other at the same moment, both
     * calls succeed: each role then has both roles' permissions.
     *
     * @param role gets more permissions
     * @param other the source of the permissions
     * @throws IllegalArgumentException if the other role already includes this role, because cycles are not allowed; or if
     *     a name is blank or too long
     */
    public void include(String role, String other) {
        requireName(role);
        requireName(other);
        unlessThere(jdbc -> {
            database.requirePrimary(jdbc, "latchkey_role_include");
            if (role.equals(other) || isIncluded(jdbc, role, other)) {
                throw new IllegalArgumentException(
                        "Role '" + other + "' includes '" + role + "' already, so '" + role + "' cannot include it");
            }
            return run(jdbc, "INSERT INTO latchkey_role_include (role_name, included) VALUES (?, ?)", role, other);
        });
    }

    /**
     * Ends the inclusion of a role.
     *
     * @param role loses permissions
     * @param other the source of the permissions
     * @return {@code false} if nothing has changed
     */
    public boolean exclude(String role, String other) {
        return hasChanged("DELETE FROM latchkey_role_include WHERE role_name = ? AND included = ?", role, other);
    }

    /**
     * Gives a subject a role.
     *
     * @param subjectId the value of {@code Subject#id()}
     * @param role its name; the role may be without permissions
     * @throws IllegalArgumentException if the id or the name is blank or too long
     */
    public void assign(String subjectId, String role) {
        requireName(subjectId);
        requireName(role);
        unlessThere(jdbc ->
                run(jdbc, "INSERT INTO latchkey_subject_role (subject, role_name) VALUES (?, ?)", subjectId, role));
    }

    /**
     * Takes a role from a subject.
     *
     * @param subjectId the value of {@code Subject#id()}
     * @param role its name
     * @return {@code false} if nothing has changed
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

    /** Adds a row to a policy. Logs a malformed row once. */
    private void add(String table, String role, String rest, Runnable row) {
        try {
            row.run();
        } catch (IllegalArgumentException e) {
            if (complaints.size() < MOST_COMPLAINTS && complaints.add(table + "\n" + role + "\n" + rest)) {
                LOG.warn("A row of {} for the role '{}' grants nothing: {}", table, role, e.getMessage());
            }
        }
    }

    private boolean hasChanged(String sql, Object... values) {
        return database.call(jdbc -> run(jdbc, sql, values) > 0);
    }

    /** An existing row stays unchanged. */
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
