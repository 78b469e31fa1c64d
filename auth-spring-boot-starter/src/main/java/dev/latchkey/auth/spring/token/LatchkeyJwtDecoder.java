package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.jwt.InvalidJwtException;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.store.RevocationStore;
import java.util.Collection;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtValidationException;

/**
 * Spring Security's port for tokens over {@link JwtVerifier}: what {@code oauth2ResourceServer(server -> server.jwt(…))} asks.
 *
 * <p>A token is verified, then looked up among the revoked ones, then shown to the service's own validators. What is wrong with
 * it is in the exception's cause and not in its message, which Spring Security sends to the caller. A store that does not answer
 * is a {@link JwtException} that is no {@link BadJwtException}: an error of the server, never a 401. Safe for use by any number
 * of threads.
 */
final class LatchkeyJwtDecoder implements JwtDecoder {

    private static final String REFUSED = "The token was not accepted";

    private final JwtVerifier verifier;
    private final JwtRevocations revocations;
    private final OAuth2TokenValidator<Jwt> validator;
    private final TokenListener listener;

    private LatchkeyJwtDecoder(
            JwtVerifier verifier,
            JwtRevocations revocations,
            OAuth2TokenValidator<Jwt> validator,
            TokenListener listener) {
        this.verifier = verifier;
        this.revocations = revocations;
        this.validator = validator;
        this.listener = listener;
    }

    static LatchkeyJwtDecoder of(
            JwtVerifier verifier,
            RevocationStore revocations,
            ObjectProvider<OAuth2TokenValidator<Jwt>> validators,
            ObjectProvider<TokenListener> listener) {
        return new LatchkeyJwtDecoder(
                verifier,
                JwtRevocations.in(revocations),
                new DelegatingOAuth2TokenValidator<>(validators.orderedStream().toList()),
                listener.getIfUnique(() -> TokenListener.NONE));
    }

    @Override
    public Jwt decode(String token) {
        VerifiedJwt verified = verified(token);
        requireNotRevoked(verified);
        Jwt jwt = springsOwn(token, verified);
        requireAccepted(jwt);
        listener.checked(TokenListener.NO_DEFECT);
        return jwt;
    }

    private VerifiedJwt verified(String token) {
        try {
            return verifier.verifyOrThrow(token);
        } catch (InvalidJwtException e) {
            listener.checked(e.defect().code());
            throw new BadJwtException(REFUSED, e);
        }
    }

    private void requireNotRevoked(VerifiedJwt jwt) {
        boolean revoked;
        try {
            revoked = revocations.isRevoked(jwt);
        } catch (AuthUnavailableException e) {
            throw new JwtException("Whether the token was revoked cannot be found out", e);
        }
        if (revoked) {
            listener.checked(RejectionReason.REVOKED.code());
            throw new BadJwtException(REFUSED);
        }
    }

    private Jwt springsOwn(String token, VerifiedJwt verified) {
        try {
            return SpringJwts.of(token, verified);
        } catch (BadJwtException e) {
            listener.checked(RejectionReason.MALFORMED.code());
            throw e;
        }
    }

    /** The service's own validators call what they find as they like, and a tag must have few values: theirs have one together. */
    private void requireAccepted(Jwt jwt) {
        Collection<OAuth2Error> errors = validator.validate(jwt).getErrors();
        if (!errors.isEmpty()) {
            listener.checked(RejectionReason.BAD_CREDENTIALS.code());
            throw new JwtValidationException(REFUSED, errors);
        }
    }
}
