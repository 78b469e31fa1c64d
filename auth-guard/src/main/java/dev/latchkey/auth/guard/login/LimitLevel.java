package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;

/** One bucket before a login. Its policy is asked each time, since it may change while the login waits. */
record LimitLevel(LoginBucket bucket, BucketKey key) {}
