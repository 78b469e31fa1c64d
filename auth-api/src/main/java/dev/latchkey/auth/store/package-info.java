/**
 * State beyond a request: sessions with their refresh tokens, and revocations.
 *
 * <p>For several nodes, other modules implement {@link dev.latchkey.auth.store.RevocationStore} and
 * {@link dev.latchkey.auth.store.LoginStore}; {@link dev.latchkey.auth.store.LocalRevocations} keeps a node's copy of a
 * shared store. This package uses only values of the SPI, and the engine's {@code CurrentLogin}; start reading at
 * {@code RevocationStore}.
 */
@NullMarked
package dev.latchkey.auth.store;

import org.jspecify.annotations.NullMarked;
