package dev.latchkey.auth.jwt;

import java.util.Locale;

/**
 * Why a token was refused; the {@link #code()} of each is stable, and meant for logs, metrics and messages of exceptions.
 *
 * <p>The constants stand in the order in which a token is checked, and the first defect found is reported. So a token that was not signed with a key of
 * the verifier is never reported with a defect behind {@link #BAD_MAC}.
 */
public enum JwtDefect {
    /** Longer than the verifier's limit. */
    TOO_LONG,
    /** Not three parts with a dot between them, each in canonical Base64url. */
    MALFORMED,
    /** No key of the verifier made this MAC, by the key's algorithm: what another one makes of the same key is refused here, too. */
    BAD_MAC,
    /** The header is no strict JSON object, or one of its members has the wrong type. */
    MALFORMED_HEADER,
    /** The MAC is right, and the header names another algorithm than the key's, or none. */
    WRONG_ALGORITHM,
    /** The header has {@code crit}, {@code b64} or {@code zip}, whatever its value. */
    UNSUPPORTED_HEADER,
    /** The header's {@code typ} is not the one expected. */
    WRONG_TYPE,
    /** The claims are no strict JSON object. */
    MALFORMED_CLAIMS,
    /** A registered claim has another type than RFC 7519 section 4.1 gives it, or a date lies outside the years 1 to 9999. */
    ILL_TYPED_CLAIM,
    /** There is no {@code exp}. */
    NO_EXPIRY,
    /** The {@code exp} has been reached. */
    EXPIRED,
    /** The {@code nbf} has not been reached, or the {@code iat} is later than clocks may differ. */
    NOT_YET_VALID,
    /** There is no {@code iat}, it lies in the future, or it is longer ago than the verifier allows. */
    TOO_OLD,
    /** The {@code iss} is not the one expected. */
    WRONG_ISSUER,
    /** The {@code aud} does not hold the one expected, or there is one and none is expected. */
    WRONG_AUDIENCE,
    /** A claim that the verifier requires is missing. */
    MISSING_CLAIM;

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
