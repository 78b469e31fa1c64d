/**
 * The origin of a request, from its connection and from trusted proxies. The package may use {@code internal}. Start
 * with {@link dev.latchkey.auth.guard.source.TrustedProxies}.
 */
@NullMarked
package dev.latchkey.auth.guard.source;

import org.jspecify.annotations.NullMarked;
