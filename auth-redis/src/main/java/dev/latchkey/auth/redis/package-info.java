/**
 * Revocations, sessions and buckets of login limits, shared by nodes through a service's Redis or Valkey. Start with
 * {@link dev.latchkey.auth.redis.RedisRevocationStore}; the module's README lists the keys.
 */
@NullMarked
package dev.latchkey.auth.redis;

import org.jspecify.annotations.NullMarked;
