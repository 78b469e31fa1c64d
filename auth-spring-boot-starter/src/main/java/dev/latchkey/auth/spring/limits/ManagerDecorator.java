package dev.latchkey.auth.spring.limits;

import org.jspecify.annotations.Nullable;

/**
 * Adds the login limits and the check for a second step to managers.
 *
 * @param <M> the interface of the managers
 */
@FunctionalInterface
interface ManagerDecorator<M> {

    /** A decorated manager, for users who know the interface of the manager. */
    M decorated(M manager);

    /**
     * A decorated manager, for users who know the class of the manager.
     *
     * @return null if the class can have no subclass
     */
    default @Nullable M decoratedSubclass(M manager) {
        return null;
    }
}
