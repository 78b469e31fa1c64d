package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.jwt.InvalidJwtException;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.store.RevocationStore;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
 * {@link JwtVerifier} as Spring Security's decoder, for {@code oauth2ResourceServer(server -> server.jwt(…))}.
 *
 * <p>First the token is verified, then the revocations are checked, then the service's own validators run. The exception's
 * message ends with the code of the first defect, and contains no part of the token. Spring Security sends this message to the
 * client. A forger learns nothing from the message: every defect after {@code bad_mac} needs a right MAC. An outage of the store
 * is a {@link JwtException} outside {@link BadJwtException}: the answer is 503, never 401. Safe for use by any number of threads.
 */
final class LatchkeyJwtDecoder implements JwtDecoder, TokenRule {

    /** The claims that become authorities. */
    private static final List<String> AUTHORITY_CLAIMS = List.of(JwtAuthPlugin.AUTHORITIES_CLAIM, "scope", "scp");

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
                verifier.rejectingBoundTokens(),
                JwtRevocations.in(revocations),
                new DelegatingOAuth2TokenValidator<>(validators.orderedStream().toList()),
                listener.getIfUnique(() -> TokenListener.NONE));
    }

    @Override
    public Jwt decode(String token) {
        VerifiedJwt verified = verified(token);
        requireNotRevoked(verified);
        Jwt jwt = springsOwn(token, verified);
        requireAuthorities(jwt);
        requireAccepted(jwt);
        listener.checked(TokenListener.NO_DEFECT);
        return jwt;
    }

    @Override
    public boolean accepts(String token, VerifiedJwt jwt) {
        Jwt springs;
        try {
            springs = SpringJwts.of(token, jwt);
        } catch (IllegalArgumentException e) {
            return false;
        }
        try {
            return !validator.validate(springs).hasErrors();
        } catch (BadJwtException e) {
            return false;
        } catch (JwtException e) {
            throw AuthUnavailableException.outage("A validator reached no decision about a token", e);
        }
    }

    private VerifiedJwt verified(String token) {
        try {
            return verifier.verifyOrThrow(token);
        } catch (InvalidJwtException e) {
            throw refused(e.defect().code(), e);
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
            throw refused(RejectionReason.REVOKED.code(), null);
        }
    }

    private Jwt springsOwn(String token, VerifiedJwt verified) {
        try {
            return SpringJwts.of(token, verified);
        } catch (IllegalArgumentException e) {
            throw refused(RejectionReason.MALFORMED.code(), e);
        }
    }

    /**
     * Spring's converter casts each element to a text, and an authority must not be blank. The exceptions for other elements
     * would be answered with 500.
     */
    private void requireAuthorities(Jwt jwt) {
        for (String name : AUTHORITY_CLAIMS) {
            Object claim = jwt.getClaims().get(name);
            if (claim != null && !isTexts(claim instanceof String text ? textsIn(text) : claim)) {
                throw refused(RejectionReason.MALFORMED.code(), null);
            }
        }
    }

    /** RFC 6749 section 3.3: a single space is between two scopes. */
    private static List<String> textsIn(String text) {
        return text.isBlank() ? List.of() : List.of(text.split(" "));
    }

    private static boolean isTexts(Object claim) {
        return claim instanceof List<?> list
                && list.stream().allMatch(element -> element instanceof String text && !text.isBlank());
    }

    /**
     * The service's own validators have any number of codes, and a metric's tag needs few values. So all of them share a single
     * code.
     */
    private void requireAccepted(Jwt jwt) {
        Collection<OAuth2Error> errors = validator.validate(jwt).getErrors();
        if (!errors.isEmpty()) {
            String code = RejectionReason.BAD_CREDENTIALS.code();
            listener.checked(code);
            throw new JwtValidationException(messageOf(code), errors);
        }
    }

    private BadJwtException refused(String code, @Nullable Exception cause) {
        listener.checked(code);
        return new BadJwtException(messageOf(code), cause);
    }

    private static String messageOf(String code) {
        return "The token was not accepted: " + code;
    }
}
