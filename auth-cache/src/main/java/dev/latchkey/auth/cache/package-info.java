/**
 * A cache of verified credentials, in front of password hashing. Start with
 * {@link dev.latchkey.auth.cache.CachingPasswordEncoder}.
 */
@NullMarked
package dev.latchkey.auth.cache;

import org.jspecify.annotations.NullMarked;
