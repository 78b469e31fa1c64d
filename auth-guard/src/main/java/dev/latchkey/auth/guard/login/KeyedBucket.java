package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;

/** One bucket. {@link LoginLedger} reads its policy at each use, because a policy may change during a wait. */
record KeyedBucket(LoginBucket kind, BucketKey key) {}
