package dev.latchkey.auth.spring.plugin;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * A persistence context for one look-up, in place of the context that a request holds open, as {@code spring.jpa.open-in-view} does.
 * The context of the request answers each look-up with the entity of the first look-up, so a change of the account since then would
 * be unseen. Within the own context, an account can load its roles.
 *
 * <p>A transaction of the caller has a context too, and stays as it is. The methods change only the calling thread.
 */
final class OwnContext {

    private static final boolean IS_JPA_PRESENT = isPresent("jakarta.persistence.EntityManagerFactory")
            && isPresent("org.springframework.orm.jpa.EntityManagerHolder");

    private OwnContext() {}

    static <T> T within(Supplier<T> lookUp) {
        return IS_JPA_PRESENT ? OfJpa.within(lookUp) : lookUp.get();
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, OwnContext.class.getClassLoader());
    }

    /** A class of its own, because a service may have no JPA. */
    private static final class OfJpa {

        static <T> T within(Supplier<T> lookUp) {
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                return lookUp.get();
            }
            Map<EntityManagerFactory, Object> open = new HashMap<>();
            TransactionSynchronizationManager.getResourceMap().forEach((factory, holder) -> {
                if (factory instanceof EntityManagerFactory jpa && holder instanceof EntityManagerHolder) {
                    open.put(jpa, holder);
                }
            });
            open.keySet().forEach(TransactionSynchronizationManager::unbindResourceIfPossible);
            Map<EntityManagerFactory, EntityManager> own = new HashMap<>();
            try {
                open.keySet().forEach(factory -> {
                    own.put(factory, factory.createEntityManager());
                    TransactionSynchronizationManager.bindResource(factory, new EntityManagerHolder(own.get(factory)));
                });
                return lookUp.get();
            } finally {
                own.forEach((factory, context) -> {
                    TransactionSynchronizationManager.unbindResourceIfPossible(factory);
                    EntityManagerFactoryUtils.closeEntityManager(context);
                });
                open.forEach(TransactionSynchronizationManager::bindResource);
            }
        }
    }
}
