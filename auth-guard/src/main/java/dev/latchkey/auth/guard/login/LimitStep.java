package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;
import org.jspecify.annotations.Nullable;

/**
 * A bucket before a login.
 *
 * @param insteadIfEmpty the fallback for the login if this bucket is empty; null if there is none
 */
record LimitStep(LimitLevel level, @Nullable LimitLevel insteadIfEmpty) {

    static LimitStep of(LoginBucket bucket, BucketKey key) {
        return new LimitStep(new LimitLevel(bucket, key), null);
    }

    LimitStep orElse(LoginBucket fallback, BucketKey key) {
        return new LimitStep(level, new LimitLevel(fallback, key));
    }
}
