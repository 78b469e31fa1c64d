package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.store.LocalRevocations;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Whether this node has read all revocations once. A node without the revocations must not take requests while other
 * nodes have the revocations.
 *
 * <p>A later outage of the store does not change the result: all nodes lose the same store, and no other node could
 * answer instead. A readiness group that also checks the store would take all nodes out of service at once.
 */
final class FirstReading {

    private final ObjectProvider<LocalRevocations> copies;
    private volatile boolean isDone;

    FirstReading(ObjectProvider<LocalRevocations> copies) {
        this.copies = copies;
    }

    /** True without a shared store, and always true after the first reading. */
    boolean isDone() {
        if (!isDone) {
            isDone = copies.stream().map(LocalRevocations::status).allMatch(LocalRevocations.Status::wasRead);
        }
        return isDone;
    }
}
