/**
 * Revocations, logins and the buckets of login limits that nodes share through the Redis or Valkey that a service has. Begin with {@link dev.latchkey.auth.redis.RedisRevocationStore};
 * the module's README says what is stored under which key.
 */
@NullMarked
package dev.latchkey.auth.redis;

import org.jspecify.annotations.NullMarked;
