/**
 * The limits of failed logins: which login may be checked now, and which waits or is refused. It uses the buckets, the sources and
 * the clock of the guard, and knows nothing of hashing or throttles. Start reading at {@link
 * dev.latchkey.auth.guard.login.LoginLimits}, then {@code LoginSteps} and {@code LimitAcquisition}.
 */
@NullMarked
package dev.latchkey.auth.guard.login;

import org.jspecify.annotations.NullMarked;
