package dev.latchkey.auth.guard;

import org.jspecify.annotations.Nullable;

/**
 * A bucket that a login has to pass. Which policy it is under is asked each time: it may change while the login waits.
 *
 * @param insteadIfEmpty the bucket to pass instead, if this one is empty: an account's slow lane
 */
record LimitLevel(
        LoginBucket bucket, BucketKey key, @Nullable LimitLevel insteadIfEmpty) {

    LimitLevel(LoginBucket bucket, BucketKey key) {
        this(bucket, key, null);
    }
}
