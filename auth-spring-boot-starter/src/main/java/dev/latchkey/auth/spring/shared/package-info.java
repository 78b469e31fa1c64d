/**
 * State that nodes share in Redis or a database: revocations, sessions, login limits. Also each node's copy of the revocations.
 * Start with {@link dev.latchkey.auth.spring.shared.LatchkeyRedisAutoConfiguration}, then {@code RevocationRefresh}.
 */
@NullMarked
package dev.latchkey.auth.spring.shared;

import org.jspecify.annotations.NullMarked;
