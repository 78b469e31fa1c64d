package dev.latchkey.plugins.permissions;

import java.util.Map;
import java.util.Set;

/** Roles and permissions from the configuration of a small service. Immutable. */
final class ConfiguredPolicyStore implements PolicyStore {

    private final Policy policy;
    private final Map<String, Set<String>> subjects;

    ConfiguredPolicyStore(Policy policy, Map<String, Set<String>> subjects) {
        this.policy = policy;
        this.subjects = Map.copyOf(subjects);
    }

    @Override
    public Policy load() {
        return policy;
    }

    @Override
    public Set<String> rolesOf(String subjectId) {
        return subjects.getOrDefault(subjectId, Set.of());
    }
}
