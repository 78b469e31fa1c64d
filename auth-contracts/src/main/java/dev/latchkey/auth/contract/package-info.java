/**
 * The contracts of the SPI as tests that an author runs.
 *
 * <p>Extend one kit for each role of a plugin: {@link dev.latchkey.auth.contract.LoginSourceContract},
 * {@link dev.latchkey.auth.contract.LoginStepContract}, {@link dev.latchkey.auth.contract.CredentialsReaderContract},
 * {@link dev.latchkey.auth.contract.GrantReaderContract}, {@link dev.latchkey.auth.contract.PermissionSourceContract} and
 * {@link dev.latchkey.auth.contract.CredentialsRevokerContract}. For a store extend
 * {@link dev.latchkey.auth.contract.RevocationStoreContract}, or {@link dev.latchkey.auth.contract.SharedRevocationStoreContract}
 * if nodes keep copies, and {@link dev.latchkey.auth.contract.LoginStoreContract}.
 *
 * <p>The package has more than 30 files, because each kit has classes with its rules, and all kits share probes and inputs. These
 * classes are package-private, so an author sees only the kits and a few types for fixtures.
 */
@NullMarked
package dev.latchkey.auth.contract;

import org.jspecify.annotations.NullMarked;
