package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jwt.VerifiedJwt;

/**
 * The rule of the service's resource server for its tokens. Latchkey's decoder is the bean of this type, with the validators of
 * the service.
 *
 * <p>Introspection and the list of sessions take a token before any filter chain does, so they ask this rule. A validator must
 * therefore ask neither of them. Implementations are safe for use by any number of threads.
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
