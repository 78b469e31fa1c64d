/**
 * The table of API keys, in memory or in a database. This package contains no checks of keys. Start with
 * {@link dev.latchkey.plugins.apikeys.store.ApiKeyStore}.
 */
@NullMarked
package dev.latchkey.plugins.apikeys.store;

import org.jspecify.annotations.NullMarked;
