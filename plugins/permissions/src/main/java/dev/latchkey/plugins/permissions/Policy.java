package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.Permission;
import dev.latchkey.auth.Subject;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What roles may do, compiled: made once, asked by any number of threads. What no role grants is denied.
 */
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
     * Nothing is granted yet.
     *
     * @return a builder for one policy, on one thread
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Whether one of these roles, or one that they include, may do this; a role that the policy does not know grants nothing.
     *
     * @param names of the roles that the subject has
     * @param subject who asks, for patterns with variables
     * @param permission what is to be done, and with what
     * @return {@code false} for an action that no grant covers
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
     * How many roles there are.
     *
     * @return those that something was granted to, or that were included
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
         * The role may do this.
         *
         * @param role its name, compared character by character
         * @param resource a pattern, as the module's README describes
         * @param actions words between commas, {@code rw}, or {@code *}
         * @return this builder
         * @throws IllegalArgumentException if either is none; nothing is granted by it then
         */
        public Builder grant(String role, String resource, String actions) {
            ResourcePattern pattern = ResourcePattern.parse(resource);
            Set<String> words = Actions.parse(actions);
            tree.add(pattern, words, numberOf(role));
            return this;
        }

        /**
         * The role may do what the other one may. Roles that include each other may do the same.
         *
         * @param role which one gets more
         * @param other what it may do is added, now and whenever more is granted to it
         * @return this builder
         */
        public Builder include(String role, String other) {
            included.computeIfAbsent(numberOf(role), any -> new LinkedHashSet<>())
                    .add(numberOf(other));
            return this;
        }

        /**
         * What was collected; the builder is of no use afterwards.
         *
         * @return a policy that does not change
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
