package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.spring.settings.LatchkeyProperties.Store;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@code latchkey.store} names this store, or names no store. Reads the property as the properties class does: for
 * {@code @ConditionalOnProperty}, an empty value would be another store.
 */
abstract sealed class OnStore extends SpringBootCondition {

    private final Store store;

    private OnStore(Store store) {
        this.store = store;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Store named = Binder.get(context.getEnvironment())
                .bind("latchkey.store", Store.class)
                .orElse(store);
        return new ConditionOutcome(named == store, "the store is " + named);
    }

    static final class Redis extends OnStore {

        Redis() {
            super(Store.REDIS);
        }
    }

    static final class Jdbc extends OnStore {

        Jdbc() {
            super(Store.JDBC);
        }
    }
}
