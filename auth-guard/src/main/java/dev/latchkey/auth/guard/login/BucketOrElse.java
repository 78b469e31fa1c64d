package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;
import org.jspecify.annotations.Nullable;

/**
 * A bucket that a login must pass.
 *
 * @param insteadIfEmpty the fallback for the login if this bucket is empty; null if there is none
 */
record BucketOrElse(KeyedBucket bucket, @Nullable KeyedBucket insteadIfEmpty) {

    static BucketOrElse of(LoginBucket kind, BucketKey key) {
        return new BucketOrElse(new KeyedBucket(kind, key), null);
    }

    BucketOrElse orElse(LoginBucket fallback, BucketKey key) {
        return new BucketOrElse(bucket, new KeyedBucket(fallback, key));
    }
}
