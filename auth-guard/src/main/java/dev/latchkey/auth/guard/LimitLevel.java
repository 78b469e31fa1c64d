package dev.latchkey.auth.guard;

import org.jspecify.annotations.Nullable;

/**
 * A bucket that a login has to pass.
 *
 * @param insteadIfEmpty the bucket to pass instead, if this one is empty: an account's slow lane
 */
record LimitLevel(
        LoginLimit limit,
        BucketPolicy policy,
        BucketKey key,
        @Nullable LimitLevel insteadIfEmpty) {

    LimitLevel(LoginLimit limit, BucketPolicy policy, BucketKey key) {
        this(limit, policy, key, null);
    }
}
