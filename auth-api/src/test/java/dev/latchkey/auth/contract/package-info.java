/**
 * The contract of the SPI as tests that a plugin's author runs: extend
 * {@link dev.latchkey.auth.contract.AuthPluginContract}.
 */
@NullMarked
package dev.latchkey.auth.contract;

import org.jspecify.annotations.NullMarked;
