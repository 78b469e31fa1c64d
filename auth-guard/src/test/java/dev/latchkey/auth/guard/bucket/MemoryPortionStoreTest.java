package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.ManualTime;
import java.time.Duration;

/** The store of the throttles' tests keeps the contract of a store. */
class MemoryPortionStoreTest extends PortionStoreContract {

    private final MemoryPortionStore store = new MemoryPortionStore(new ManualTime());

    @Override
    protected PortionStore node() {
        return store;
    }

    @Override
    protected void advance(Duration duration) {
        store.advance(duration);
    }
}
