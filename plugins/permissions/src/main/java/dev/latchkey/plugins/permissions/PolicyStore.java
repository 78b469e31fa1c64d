package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.Set;

/** A source of roles and permissions. Safe for use by any number of threads. */
public interface PolicyStore {

    /**
     * Reads all roles with their current grants.
     *
     * @return an immutable policy
     * @throws AuthUnavailableException if the store does not answer
     */
    Policy load();

    /**
     * Reads the roles of this subject; empty for an unknown subject.
     *
     * @param subjectId the value of {@code Subject#id()}
     * @return a separate set, independent of later changes in the store
     * @throws AuthUnavailableException if the store does not answer
     */
    Set<String> rolesOf(String subjectId);
}
