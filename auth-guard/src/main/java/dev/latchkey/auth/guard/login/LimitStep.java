package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;
import org.jspecify.annotations.Nullable;

/**
 * A bucket that a login has to pass.
 *
 * @param insteadIfEmpty the lane that the login passes instead where this bucket is empty; null where there is none
 */
record LimitStep(LimitLevel level, @Nullable LimitLevel insteadIfEmpty) {

    static LimitStep of(LoginBucket bucket, BucketKey key) {
        return new LimitStep(new LimitLevel(bucket, key), null);
    }

    LimitStep orElse(LoginBucket lane, BucketKey key) {
        return new LimitStep(level, new LimitLevel(lane, key));
    }
}
