/**
 * JSON Web Tokens (RFC 7519) with HMAC signatures. Start with {@link dev.latchkey.auth.jwt.JwtVerifier}.
 *
 * <p>The package has more than 30 files, because the parts of the parser, the keys and the claims see each other and no
 * other module. In several packages these parts would be public, and a service could skip the check of the signature.
 */
@NullMarked
package dev.latchkey.auth.jwt;

import org.jspecify.annotations.NullMarked;
