/** The table of API keys, in memory or in a database. It knows nothing of how a key is checked. Start with {@link dev.latchkey.plugins.apikeys.store.ApiKeyStore}. */
@NullMarked
package dev.latchkey.plugins.apikeys.store;

import org.jspecify.annotations.NullMarked;
