package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.internal.SipHash;

/** Two SipHashes with random keys for the life of the process, for keys that never leave the process. */
final class SipDigest implements KeyDigest {

    private final SipHash high = SipHash.random();
    private final SipHash low = SipHash.random();

    @Override
    public BucketKey of(Kind kind, String text) {
        return new BucketKey(high.hash(kind.code(), text), low.hash(kind.code(), text));
    }

    @Override
    public BucketKey of(Kind kind, long... numbers) {
        return new BucketKey(high.hash(kind.code(), numbers), low.hash(kind.code(), numbers));
    }
}
