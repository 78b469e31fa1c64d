package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.factory.PluginConfigException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The source of roles and permissions.
 *
 * @param store {@code jdbc} for the tables of the service's database, {@code properties} for the values here
 * @param seenWithin the longest delay of a change
 * @param roles the permissions and the included roles of each role; for {@code properties}
 * @param subjects the roles of subjects, by their ids; for {@code properties}
 */
@ConfigurationProperties(PermissionsProperties.PREFIX)
record PermissionsProperties(
        @Nullable Store store,
        @DefaultValue("10s") Duration seenWithin,
        @DefaultValue Map<String, Role> roles,
        @DefaultValue Map<String, Set<String>> subjects) {

    static final String PREFIX = "latchkey.permissions.policy";

    private static final Duration LONGEST = Duration.ofDays(1);

    /** @throws PluginConfigException if the delay of changes is out of range; the message names the property */
    PermissionsProperties {
        if (seenWithin.isNegative() || seenWithin.isZero() || seenWithin.compareTo(LONGEST) > 0) {
            throw wrong("seen-within", "the time is positive and at most a day, such as 10s");
        }
    }

    enum Store {
        JDBC,
        PROPERTIES
    }

    /**
     * A role.
     *
     * @param permissions each {@code <actions> <resource>}, as in {@code rw ns:public:*}
     * @param includes other roles; their permissions are added
     */
    record Role(
            @DefaultValue List<String> permissions,
            @DefaultValue List<String> includes) {}

    /** @throws PluginConfigException if a permission is malformed, or a role is unknown; the message names the property */
    ConfiguredPolicyStore configured() {
        Policy.Builder policy = Policy.builder();
        roles.forEach((name, role) -> {
            for (int each = 0; each < role.permissions().size(); each++) {
                grant(
                        policy,
                        name,
                        role.permissions().get(each).trim(),
                        "roles[" + name + "].permissions[" + each + "]");
            }
            role.includes().forEach(other -> {
                requireRole(includesOf(name), other);
                policy.include(name, other);
            });
        });
        requireNoLoop();
        subjects.forEach((subject, names) -> names.forEach(name -> requireRole("subjects[" + subject + "]", name)));
        return new ConfiguredPolicyStore(policy.build(), subjects);
    }

    /** With brackets, because the name of a role may contain dots. */
    private static String includesOf(String role) {
        return "roles[" + role + "].includes";
    }

    private static void grant(Policy.Builder policy, String role, String permission, String key) {
        int space = permission.indexOf(' ');
        if (space < 0) {
            throw wrong(key, "a permission is written as actions, a space and a resource: 'rw ns:public:*'");
        }
        try {
            policy.grant(role, permission.substring(space + 1).trim(), permission.substring(0, space));
        } catch (IllegalArgumentException e) {
            throw wrong(key, String.valueOf(e.getMessage()));
        }
    }

    private void requireRole(String key, String name) {
        if (!roles.containsKey(name)) {
            throw wrong(key, "the role '" + name + "' is none of " + roles.keySet());
        }
    }

    private static PluginConfigException wrong(String key, String rule) {
        return new PluginConfigException(PREFIX + "." + key + ": " + rule);
    }

    private void requireNoLoop() {
        Map<String, Boolean> done = new LinkedHashMap<>();
        roles.keySet().forEach(role -> walk(role, done));
    }

    /** False marks a role in the current walk. */
    private void walk(String role, Map<String, Boolean> done) {
        Boolean before = done.putIfAbsent(role, false);
        if (Boolean.FALSE.equals(before)) {
            throw wrong(includesOf(role), "the role includes itself, by itself or through others");
        }
        if (before == null) {
            Role found = roles.get(role);
            if (found != null) {
                found.includes().forEach(other -> walk(other, done));
            }
            done.put(role, true);
        }
    }
}
