/** What a third party writes to add a login source of its own: API keys in a file, on {@code auth-api} alone. */
@NullMarked
package dev.latchkey.examples.apikey;

import org.jspecify.annotations.NullMarked;
