package dev.latchkey.throttle;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketMaker;
import dev.latchkey.auth.guard.bucket.BucketRate;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.local.LockFreeBucket;

/** A token bucket of this node. */
final class OwnTokens implements TokenSupply {

    private final GuardTime time;
    private final LockFreeBucket bucket;

    OwnTokens(BucketRate rate, GuardTime time) {
        this.time = time;
        this.bucket = BucketMaker.of(rate, time).make();
    }

    /** Takes all tokens or none, even for requests that could wait for the rest. */
    @Override
    public Taken take(long tokens) {
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(tokens);
        return probe.isConsumed()
                ? new Taken(tokens, probe.getRemainingTokens(), 0)
                : Taken.none(probe.getNanosToWaitForRefill());
    }

    @Override
    public void putBack(long tokens) {
        bucket.addTokens(tokens);
    }

    @Override
    public void change(BucketRate rate) {
        BucketMaker.of(rate, time).adopt(bucket);
    }

    @Override
    public long settle(long wanted) {
        return UNKNOWN;
    }
}
