package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.ManualTime;
import java.time.Duration;

class LocalBucketStoreContractTest extends BucketStoreContract {

    private final ManualTime time = new ManualTime();
    private final LocalBucketStore store = LocalBucketStore.create(time);

    @Override
    protected BucketStore node() {
        return store;
    }

    @Override
    protected void advance(Duration duration) {
        time.advance(duration);
    }
}
