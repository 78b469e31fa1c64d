/**
 * Where a request comes from, read from its connection and from what trusted proxies say. It may use {@code internal}. Start
 * with {@link dev.latchkey.auth.guard.source.TrustedProxies}.
 */
@NullMarked
package dev.latchkey.auth.guard.source;

import org.jspecify.annotations.NullMarked;
