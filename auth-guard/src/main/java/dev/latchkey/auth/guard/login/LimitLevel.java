package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;

/** One bucket before a login. The policy is read each time, because a policy may change during a wait. */
record LimitLevel(LoginBucket bucket, BucketKey key) {}
