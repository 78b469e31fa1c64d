package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.ManualTime;
import java.time.Duration;

/** What the tests of throttles share their tokens through does what a store must. */
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
