/** A login source of a third party: API keys in a file, with {@code auth-api} as the only dependency. */
@NullMarked
package dev.latchkey.examples.apikey;

import org.jspecify.annotations.NullMarked;
