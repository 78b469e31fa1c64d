package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;

/** One bucket before a login. Which policy it is under is asked each time: it may change while the login waits. */
record LimitLevel(LoginBucket bucket, BucketKey key) {}
