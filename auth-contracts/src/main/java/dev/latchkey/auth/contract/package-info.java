/**
 * The contracts of the SPI as tests that an author runs.
 *
 * <p>Extend one kit for each role of a plugin: {@link dev.latchkey.auth.contract.LoginSourceContract}, {@link
 * dev.latchkey.auth.contract.LoginStepContract}, {@link dev.latchkey.auth.contract.CredentialsReaderContract}, {@link
 * dev.latchkey.auth.contract.GrantReaderContract}, {@link dev.latchkey.auth.contract.PermissionSourceContract} and {@link
 * dev.latchkey.auth.contract.CredentialsRevokerContract}. For a store extend {@link dev.latchkey.auth.contract.RevocationStoreContract}, or {@link
 * dev.latchkey.auth.contract.SharedRevocationStoreContract} where nodes keep copies, and {@link dev.latchkey.auth.contract.LoginStoreContract}.
 */
@NullMarked
package dev.latchkey.auth.contract;

import org.jspecify.annotations.NullMarked;
