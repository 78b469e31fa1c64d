/** A cache of verified credentials, in front of what computes password hashes. Start with {@link dev.latchkey.auth.cache.CachingPasswordEncoder}. */
@NullMarked
package dev.latchkey.auth.cache;

import org.jspecify.annotations.NullMarked;
