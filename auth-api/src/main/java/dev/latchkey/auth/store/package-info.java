/**
 * What outlives a request: logins with their refresh tokens, and what is revoked.
 *
 * <p>{@link dev.latchkey.auth.store.RevocationStore} and {@link dev.latchkey.auth.store.LoginStore} are what other
 * modules implement for several nodes; {@link dev.latchkey.auth.store.LocalRevocations} keeps a node's copy of a shared
 * store. May use the SPI's values alone; start reading at {@code RevocationStore}.
 */
@NullMarked
package dev.latchkey.auth.store;

import org.jspecify.annotations.NullMarked;
