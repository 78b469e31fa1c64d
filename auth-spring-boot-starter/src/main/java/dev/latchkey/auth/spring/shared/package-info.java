/**
 * What nodes share through the service's Redis or database: revocations, logins and login limits; and the copy of revocations that each node keeps,
 * of a store of the service's own as well. Start with {@link dev.latchkey.auth.spring.shared.LatchkeyRedisAutoConfiguration}, then {@code
 * RevocationRefresh}.
 */
@NullMarked
package dev.latchkey.auth.spring.shared;

import org.jspecify.annotations.NullMarked;
