/**
 * API keys: issued to accounts, shown once, stored as keyed digests, with scopes, an end and a rotation in which the former key stays good for a
 * while. Start with {@link dev.latchkey.plugins.apikeys.ApiKeys} and {@link dev.latchkey.plugins.apikeys.ApiKeysPlugin}; the table is in {@code store}.
 */
@NullMarked
package dev.latchkey.plugins.apikeys;

import org.jspecify.annotations.NullMarked;
