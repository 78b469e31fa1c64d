/**
 * Tokens of other issuers: accepted beside Latchkey's own tokens, distinguished by their issuer, and revoked here. May use {@code
 * plugin} and the packages below. Start with {@link dev.latchkey.auth.spring.issuer.TrustedIssuer}.
 */
@NullMarked
package dev.latchkey.auth.spring.issuer;

import org.jspecify.annotations.NullMarked;
