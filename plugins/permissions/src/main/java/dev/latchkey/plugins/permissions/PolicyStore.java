package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.Set;

/** Where roles and permissions come from. Safe for use by any number of threads. */
public interface PolicyStore {

    /**
     * All roles with what they grant, as they are now.
     *
     * @return a policy that does not change with the store
     * @throws AuthUnavailableException if the store does not answer
     */
    Policy load();

    /**
     * The roles that the subject of this id has here; empty for one that is not known.
     *
     * @param subjectId as {@code Subject#id()} has it
     * @return a set of its own, which does not change with the store
     * @throws AuthUnavailableException if the store does not answer
     */
    Set<String> rolesOf(String subjectId);
}
