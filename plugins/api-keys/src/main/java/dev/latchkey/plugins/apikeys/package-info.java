/**
 * API keys: issued to accounts, shown once, and stored as keyed digests. Keys have scopes, an end, and a rotation with
 * an overlap. Start with {@link dev.latchkey.plugins.apikeys.ApiKeys} and
 * {@link dev.latchkey.plugins.apikeys.ApiKeysPlugin}; the table is in {@code store}.
 */
@NullMarked
package dev.latchkey.plugins.apikeys;

import org.jspecify.annotations.NullMarked;
