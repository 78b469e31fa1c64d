package dev.latchkey.auth.store;

import dev.latchkey.auth.contract.RevocationStoreContract;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A copy keeps what the contract asks of the store itself, once it has read what is new. */
class LocalRevocationsContractTest extends RevocationStoreContract {

    private final MapSharedRevocations store = new MapSharedRevocations();
    private final MapSharedRevocations another = new MapSharedRevocations();
    private final List<LocalRevocations> nodes = new ArrayList<>();
    private long nanos;

    @Override
    protected RevocationStore node(InstantSource clock) {
        return node(store, clock);
    }

    @Override
    protected RevocationStore nodeOfAnotherService(InstantSource clock) {
        return node(another, clock);
    }

    private RevocationStore node(MapSharedRevocations store, InstantSource clock) {
        LocalRevocations node = LocalRevocations.of(store, LocalRevocationSettings.defaults(), clock, () -> nanos);
        node.refresh();
        nodes.add(node);
        return node;
    }

    /** A copy that has just been read answers for a while. */
    @Override
    protected void breakDown() {
        store.breakDown();
        nanos += Duration.ofSeconds(3).toNanos();
    }

    @Override
    protected void repair() {
        store.repair();
    }

    @Override
    protected void catchUp() {
        nodes.forEach(LocalRevocations::refresh);
    }
}
