package dev.latchkey.auth.spring.plugin;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.transaction.support.ResourceHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Look-ups outside the persistence context that a request holds open, as {@code spring.jpa.open-in-view} does. This context answers
 * each look-up with the entity of the first look-up, so a change of the account since then would be unseen.
 *
 * <p>A transaction of the caller has a context of its own, and stays as it is. The methods change only the calling thread.
 */
final class OpenContexts {

    private static final boolean ARE_POSSIBLE = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            OpenContexts.class.getClassLoader());

    private OpenContexts() {}

    static <T> T outside(Supplier<T> lookUp) {
        return ARE_POSSIBLE ? OfTransactions.outside(lookUp) : lookUp.get();
    }

    /** A class of its own, because a service may have no transactions. */
    private static final class OfTransactions {

        static <T> T outside(Supplier<T> lookUp) {
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                return lookUp.get();
            }
            Map<Object, Object> open = new HashMap<>(TransactionSynchronizationManager.getResourceMap());
            open.values().removeIf(resource -> !(resource instanceof ResourceHolder));
            open.keySet().forEach(TransactionSynchronizationManager::unbindResourceIfPossible);
            try {
                return lookUp.get();
            } finally {
                open.forEach(TransactionSynchronizationManager::bindResource);
            }
        }
    }
}
