/**
 * The limits of failed logins: decides whether a login may be checked now, waits or is rejected. The package uses the
 * buckets, the sources and the clock of the guard, and knows nothing of hashing or throttles. Start reading at
 * {@link dev.latchkey.auth.guard.login.LoginLimits}, then {@code BucketsOfLogin} and {@code LimitAcquisition}.
 */
@NullMarked
package dev.latchkey.auth.guard.login;

import org.jspecify.annotations.NullMarked;
