package dev.latchkey.auth.spring.issuer;

import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.JWTParser;
import java.text.ParseException;
import org.jspecify.annotations.Nullable;

/** Reads the claimed issuer of a token, to choose the decoder. No other claim is read before the signature is verified. */
final class UnverifiedIssuer {

    /** Tokens of some issuers carry many groups. A longer token is ignored. */
    private static final int MOST_CHARS = 16_384;

    private UnverifiedIssuer() {}

    /** Null if the text is not a token, or names no issuer. */
    static @Nullable String of(String token) {
        if (token.length() > MOST_CHARS) {
            return null;
        }
        try {
            JWT jwt = JWTParser.parse(token);
            JWTClaimsSet claims = jwt.getJWTClaimsSet();
            return claims == null ? null : claims.getIssuer();
        } catch (ParseException | RuntimeException e) {
            return null;
        }
    }
}
