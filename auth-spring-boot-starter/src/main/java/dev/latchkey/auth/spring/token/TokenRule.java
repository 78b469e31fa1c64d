package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jwt.VerifiedJwt;

/**
 * The rules of a resource server for the tokens of its service.
 *
 * <p>The decoder of the resource server is the bean of this type. So a token that requests cannot use is no token for
 * introspection, the list of sessions, a fresh proof or an acting token. Implementations are safe for use by any number of threads.
 */
@FunctionalInterface
public interface TokenRule {

    /**
     * Whether the resource server accepts a token. Revocation is not checked.
     *
     * @param token the text of the token
     * @param jwt the same token, verified
     * @return false if a validator of the service rejects the token, or Spring Security cannot represent the token
     * @throws AuthUnavailableException if a validator reached no decision
     */
    boolean accepts(String token, VerifiedJwt jwt);
}
