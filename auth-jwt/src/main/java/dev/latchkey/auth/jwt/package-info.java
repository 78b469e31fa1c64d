/** JSON Web Tokens (RFC 7519) with HMAC signatures. Start with {@link dev.latchkey.auth.jwt.JwtVerifier}. */
@NullMarked
package dev.latchkey.auth.jwt;

import org.jspecify.annotations.NullMarked;
