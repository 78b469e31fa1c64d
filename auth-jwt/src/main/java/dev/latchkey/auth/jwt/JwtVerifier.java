package dev.latchkey.auth.jwt;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens. The result is the verified token, or the reason why it was refused.
 *
 * <p>In this order: the length; the MAC over the bytes as they came, compared in its encoded form and in constant time, so that exactly one text is a
 * valid signature; the header; the claims. Before the MAC holds nothing is parsed, and nothing is allocated in proportion to the token.
 *
 * <p>By default a token needs an {@code exp}. A token with an {@code aud} is refused unless the verifier expects that audience (RFC 7519 section 4.1.3).
 * A token whose {@code iat} lies in the future by more than the skew is refused until then: a revocation covers the tokens that were issued before it,
 * and would miss one that is dated later.
 *
 * <p>Immutable: each {@code expecting…}, {@code with…} gives a new value. Safe for use by any number of threads.
 */
public final class JwtVerifier {

    /** The longest token accepted by default, in characters. */
    public static final int DEFAULT_MAX_LENGTH = 8192;

    private static final int LARGEST_MAX_LENGTH = JsonScanner.MAX_LENGTH;
    private static final Duration LARGEST_SKEW = Duration.ofMinutes(5);

    private final TokenCheck check;
    private final int maxLength;

    private JwtVerifier(TokenCheck check, int maxLength) {
        this.check = check;
        this.maxLength = maxLength;
    }

    /**
     * Accepts what this key has signed, and nothing else.
     *
     * @param key may be closed later; then every token is refused
     * @return a verifier that refuses tokens with an {@code aud} until it is told which one to expect
     */
    public static JwtVerifier with(HmacKey key) {
        return with(RotatingKeys.startingWith(key));
    }

    /**
     * Accepts what the keys of this ring have signed, each until its date.
     *
     * @param ring stays as it is; for one that changes there are {@link RotatingKeys}
     * @return a verifier that refuses tokens with an {@code aud} until it is told which one to expect
     */
    public static JwtVerifier with(KeyRing ring) {
        return with(RotatingKeys.startingWith(ring));
    }

    /**
     * Follows the rotation of these keys.
     *
     * @param keys may be rotated at any time, on any thread
     * @return a verifier of the ring that is in use at each call
     */
    public static JwtVerifier with(RotatingKeys keys) {
        return new JwtVerifier(
                new TokenCheck(Objects.requireNonNull(keys, "keys"), InstantSource.system(), null, ClaimsPolicy.STRICT),
                DEFAULT_MAX_LENGTH);
    }

    /**
     * Accepts only tokens with exactly this {@code iss}.
     *
     * @param issuer compared character by character
     * @return another verifier; this one stays as it is
     */
    public JwtVerifier expectingIssuer(String issuer) {
        return with(check.policy.withIssuer(issuer));
    }

    /**
     * Accepts only tokens whose {@code aud} is, or holds, exactly this.
     *
     * @param audience compared character by character
     * @return another verifier; this one stays as it is
     */
    public JwtVerifier expectingAudience(String audience) {
        return expectingAudienceAmong(List.of(audience));
    }

    /**
     * Accepts only tokens whose {@code aud} is, or holds, at least one of these, for a service that goes by several names.
     *
     * @param audiences one at least; compared character by character
     * @return another verifier; this one stays as it is
     * @throws IllegalArgumentException if there is none
     */
    public JwtVerifier expectingAudienceAmong(Collection<String> audiences) {
        if (audiences.isEmpty()) {
            throw new IllegalArgumentException(
                    "No token is meant for nobody; name an audience, or accept any by acceptingAnyAudience()");
        }
        return with(check.policy.withAudiences(audiences));
    }

    /**
     * Accepts every {@code aud}; only for a service that is the only one to issue and to receive tokens of these keys.
     *
     * @return another verifier; this one stays as it is
     */
    public JwtVerifier acceptingAnyAudience() {
        return with(check.policy.withAnyAudience());
    }

    /**
     * Accepts only tokens with this {@code typ} in their header; case and a leading {@code application/} are ignored. A token without a {@code typ} is
     * refused. Without this call every {@code typ} is accepted, and so is a token that has none.
     *
     * @param type 1 to 255 characters of visible ASCII
     * @return another verifier; this one stays as it is
     * @throws IllegalArgumentException if it is empty, longer than 255 characters or not visible ASCII
     */
    public JwtVerifier expectingType(String type) {
        TokenCheck typed = new TokenCheck(check.keys, check.clock, JoseHeader.requireType(type), check.policy);
        return new JwtVerifier(typed, maxLength);
    }

    /**
     * Accepts only tokens that have all these claims, besides those of earlier calls. A claim whose value is {@code null} counts as absent.
     *
     * @param names of claims, be they registered or the service's own; their values do not matter
     * @return another verifier; this one stays as it is
     */
    public JwtVerifier requiringClaims(String... names) {
        return with(check.policy.withRequired(names));
    }

    /**
     * Allows clocks to differ by this much, in favour of the token. The default is zero; an {@code iat} may always be one second ahead, since some
     * issuers round it up.
     *
     * @param skew zero to 5 minutes
     * @return another verifier; this one stays as it is
     * @throws IllegalArgumentException if it is negative or more than 5 minutes
     */
    public JwtVerifier withSkew(Duration skew) {
        if (skew.isNegative() || skew.compareTo(LARGEST_SKEW) > 0) {
            throw new IllegalArgumentException("Clock skew must be between zero and " + LARGEST_SKEW + ", got " + skew);
        }
        return with(check.policy.withSkew(skew));
    }

    /**
     * Accepts only tokens whose {@code iat} is at most this long ago and not in the future. A token without an {@code iat} is refused.
     *
     * @param maxAge positive, a hundred years at most
     * @return another verifier; this one stays as it is
     * @throws IllegalArgumentException if it is not positive or more than a hundred years
     */
    public JwtVerifier withMaxAge(Duration maxAge) {
        if (maxAge.isNegative() || maxAge.isZero() || maxAge.toDays() > 36525) {
            throw new IllegalArgumentException(
                    "The maximum age must be positive and at most a hundred years, got " + maxAge);
        }
        return with(check.policy.withMaxAge(maxAge));
    }

    /**
     * Accepts tokens without an {@code exp}. Only a maximum age or a revocation ends them.
     *
     * @return another verifier; this one stays as it is
     */
    public JwtVerifier acceptingTokensWithoutExpiry() {
        return with(check.policy.withNoExpiryNeeded());
    }

    /**
     * Accepts tokens of up to this many characters.
     *
     * @param characters 1 to 65,535; a longer token is refused before it is looked at
     * @return another verifier; this one stays as it is
     * @throws IllegalArgumentException if it is less than 1 or more than 65,535
     */
    public JwtVerifier withMaxLength(int characters) {
        if (characters < 1 || characters > LARGEST_MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "The maximum length must be between 1 and " + LARGEST_MAX_LENGTH + ", got " + characters);
        }
        return new JwtVerifier(check, characters);
    }

    /**
     * Takes the current time from this clock, to the millisecond.
     *
     * @param clock asked once for each token
     * @return another verifier; this one stays as it is
     */
    public JwtVerifier withTimeSource(InstantSource clock) {
        TokenCheck timed = new TokenCheck(check.keys, Objects.requireNonNull(clock, "clock"), check.type, check.policy);
        return new JwtVerifier(timed, maxLength);
    }

    /**
     * Verifies a token in its compact form.
     *
     * @param token {@code null} is refused like any other text that is no token
     * @return the verified token, or what is wrong with it; nothing that somebody sends throws
     */
    public JwtResult verify(@Nullable String token) {
        if (token == null) {
            return new JwtResult.Refused(JwtDefect.MALFORMED);
        }
        int length = token.length();
        if (length > maxLength) {
            return new JwtResult.Refused(JwtDefect.TOO_LONG);
        }
        TokenBuffers buffers = TokenBuffers.take(length);
        try {
            return buffers.copy(token) ? check.verify(buffers, length) : new JwtResult.Refused(JwtDefect.MALFORMED);
        } finally {
            buffers.give();
        }
    }

    /**
     * As {@link #verify(String)}, for a token in ASCII.
     *
     * @param token the bytes of the compact form
     * @return as {@link #verify(String)}
     */
    public JwtResult verify(byte[] token) {
        return verify(token, 0, token.length);
    }

    /**
     * As {@link #verify(String)}, for a token in ASCII that is part of an array. The bytes are copied first, so changing the array meanwhile has no effect.
     *
     * @param buffer the array
     * @param offset where the token begins, in bytes
     * @param length of the token, in bytes
     * @return as {@link #verify(String)}
     * @throws IndexOutOfBoundsException if the array has no such part
     */
    public JwtResult verify(byte[] buffer, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length > maxLength) {
            return new JwtResult.Refused(JwtDefect.TOO_LONG);
        }
        TokenBuffers buffers = TokenBuffers.take(length);
        try {
            System.arraycopy(buffer, offset, buffers.token(), 0, length);
            return check.verify(buffers, length);
        } finally {
            buffers.give();
        }
    }

    /**
     * The verified token, for callers who prefer an exception.
     *
     * @param token {@code null} is refused like any other text that is no token
     * @return the verified token
     * @throws InvalidJwtException if the token is refused
     */
    public VerifiedJwt verifyOrThrow(@Nullable String token) {
        JwtResult result = verify(token);
        if (result instanceof JwtResult.Verified verified) {
            return verified.jwt();
        }
        throw new InvalidJwtException(((JwtResult.Refused) result).defect());
    }

    /** From when on this verifier refuses a token that it accepts now; {@link Instant#MAX} if never. */
    Instant acceptedUntil(VerifiedJwt jwt) {
        return check.policy.acceptedUntil(jwt);
    }

    private JwtVerifier with(ClaimsPolicy changed) {
        return new JwtVerifier(new TokenCheck(check.keys, check.clock, check.type, changed), maxLength);
    }
}
