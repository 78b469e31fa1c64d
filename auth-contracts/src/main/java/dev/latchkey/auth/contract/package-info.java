/**
 * The contracts of the SPI as tests that an author runs: extend
 * {@link dev.latchkey.auth.contract.AuthPluginContract} for a plugin,
 * {@link dev.latchkey.auth.contract.RevocationStoreContract}, or
 * {@link dev.latchkey.auth.contract.SharedRevocationStoreContract} where nodes keep copies, and
 * {@link dev.latchkey.auth.contract.LoginStoreContract} for a store that nodes share.
 */
@NullMarked
package dev.latchkey.auth.contract;

import org.jspecify.annotations.NullMarked;
