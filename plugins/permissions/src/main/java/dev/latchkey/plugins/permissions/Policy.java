package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Permission;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The compiled permissions of roles. Without a grant, an action is denied. Safe for use by any number of threads. */
public final class Policy {

    private final Map<String, Integer> roles;
    private final Map<Integer, BitSet> withIncluded;
    private final PatternTree tree;

    private Policy(Map<String, Integer> roles, Map<Integer, BitSet> withIncluded, PatternTree tree) {
        this.roles = roles;
        this.withIncluded = withIncluded;
        this.tree = tree;
    }

    /**
     * Creates an empty builder.
     *
     * @return a builder for one policy, on one thread
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Whether one of these roles, or a role included by them, allows the action. An unknown role grants nothing.
     *
     * @param names the subject's roles
     * @param subject the asking subject, for patterns with variables
     * @param permission the action and the resource
     * @return {@code false} for an action without a grant
     */
    public boolean allows(Set<String> names, Subject subject, Permission permission) {
        BitSet asked = new BitSet();
        for (String name : names) {
            Integer role = roles.get(name);
            if (role != null) {
                asked.or(withIncluded.getOrDefault(role, new BitSet()));
            }
        }
        return !asked.isEmpty() && tree.allows(permission.resource(), permission.action(), asked, subject);
    }

    /**
     * The number of roles.
     *
     * @return roles with a grant, and included roles
     */
    public int size() {
        return roles.size();
    }

    /** Collects roles; not for concurrent use. */
    public static final class Builder {

        private final Map<String, Integer> roles = new HashMap<>();
        private final Map<Integer, Set<Integer>> included = new LinkedHashMap<>();
        private final PatternTree tree = new PatternTree();

        private Builder() {}

        /**
         * Grants actions to a role.
         *
         * @param role its name, compared character by character
         * @param resource a pattern, described in the module's README
         * @param actions words separated by commas, {@code rw}, or {@code *}
         * @return this builder
         * @throws IllegalArgumentException if the resource or the actions are malformed; then nothing is granted
         */
        public Builder grant(String role, String resource, String actions) {
            ResourcePattern pattern = ResourcePattern.parse(resource);
            Set<String> words = Actions.parse(actions);
            tree.add(pattern, words, numberOf(role));
            return this;
        }

        /**
         * Adds another role's permissions to a role. Roles that include each other have the same permissions.
         *
         * @param role gets more permissions
         * @param other the source, including its later grants
         * @return this builder
         */
        public Builder include(String role, String other) {
            included.computeIfAbsent(numberOf(role), any -> new LinkedHashSet<>())
                    .add(numberOf(other));
            return this;
        }

        /**
         * Builds the policy. Do not use the builder afterwards.
         *
         * @return an immutable policy
         */
        public Policy build() {
            Map<Integer, BitSet> closures = new HashMap<>();
            roles.values().forEach(role -> closures.put(role, closureOf(role)));
            return new Policy(Map.copyOf(roles), closures, tree);
        }

        private BitSet closureOf(int role) {
            BitSet reached = new BitSet();
            Deque<Integer> next = new ArrayDeque<>(Set.of(role));
            @Nullable Integer one = next.poll();
            while (one != null) {
                if (!reached.get(one)) {
                    reached.set(one);
                    next.addAll(included.getOrDefault(one, Set.of()));
                }
                one = next.poll();
            }
            return reached;
        }

        private int numberOf(String role) {
            if (role.isBlank()) {
                throw new IllegalArgumentException("A role has a name");
            }
            return roles.computeIfAbsent(role, any -> roles.size());
        }
    }
}
