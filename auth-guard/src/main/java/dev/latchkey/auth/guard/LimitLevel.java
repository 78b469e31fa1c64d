package dev.latchkey.auth.guard;

/** One bucket before a login. Which policy it is under is asked each time: it may change while the login waits. */
record LimitLevel(LoginBucket bucket, BucketKey key) {}
