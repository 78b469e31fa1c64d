package dev.latchkey.auth.jwt;

import java.util.Locale;

/**
 * The reason why a token was rejected. Each {@link #code()} is stable, for logs, metrics and messages of exceptions.
 *
 * <p>The verifier reports the first defect that it finds. The constants follow roughly the order of the checks. If no
 * key of the verifier signed a token, the defect is always {@link #TOO_LONG}, {@link #MALFORMED} or {@link #BAD_MAC}.
 */
public enum JwtDefect {
    /** The token is longer than the verifier's limit. */
    TOO_LONG,
    /** The token is not three parts in canonical Base64url, separated by dots. */
    MALFORMED,
    /**
     * No key of the verifier made this MAC with the key's own algorithm. A MAC by another algorithm with the same key
     * is rejected too.
     */
    BAD_MAC,
    /** The header is not a strict JSON object, or a member of the header has the wrong type. */
    MALFORMED_HEADER,
    /** The MAC is right, but the header names no algorithm, or another algorithm than the key's. */
    WRONG_ALGORITHM,
    /** The header has {@code crit}, {@code b64} or {@code zip}, with any value. */
    UNSUPPORTED_HEADER,
    /** The header's {@code typ} is missing or is not the expected type. */
    WRONG_TYPE,
    /** The claims are not a strict JSON object. */
    MALFORMED_CLAIMS,
    /** A registered claim does not have the type of RFC 7519 section 4.1, or a date is outside the years 1 to 9999. */
    ILL_TYPED_CLAIM,
    /** The claim {@code exp} is missing. */
    NO_EXPIRY,
    /** The time in {@code exp} has been reached. */
    EXPIRED,
    /** The time in {@code nbf} has not been reached, or {@code iat} is further in the future than clocks may differ. */
    NOT_YET_VALID,
    /** The verifier limits the age, and {@code iat} is missing or longer ago than the limit. */
    TOO_OLD,
    /** The claim {@code iss} is missing or is not the expected issuer. */
    WRONG_ISSUER,
    /** The claim {@code aud} does not contain the expected audience, or is present although none is expected. */
    WRONG_AUDIENCE,
    /** A claim that the verifier requires is missing. */
    MISSING_CLAIM,
    /** The claim {@code cnf} binds the token to a key (RFC 7800), and the verifier accepts only bearer tokens. */
    BOUND_TO_KEY;

    private final String code = name().toLowerCase(Locale.ROOT);

    /**
     * The name in lower case: {@code bad_mac}.
     *
     * @return a code that stays the same between versions
     */
    public String code() {
        return code;
    }
}
