package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.store.LocalRevocations;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Whether this node has had all revocations once. A node without them must not take requests while other nodes have them.
 *
 * <p>A later outage of the store changes nothing: all nodes lose the same store, and no other node could answer instead. A group of
 * readiness with more than this would take all nodes away at once.
 */
final class FirstReading {

    private final ObjectProvider<LocalRevocations> copies;
    private volatile boolean isDone;

    FirstReading(ObjectProvider<LocalRevocations> copies) {
        this.copies = copies;
    }

    /** True for ever after the first reading, and without a shared store. */
    boolean isDone() {
        if (!isDone) {
            isDone = copies.stream().map(LocalRevocations::status).allMatch(FirstReading::isRead);
        }
        return isDone;
    }

    /** A copy beyond its maximum has no age. The store answers then. */
    private static boolean isRead(LocalRevocations.Status copy) {
        return copy.age().isPresent() || (copy.size() > 0 && copy.isAnswering());
    }
}
