package dev.latchkey.auth.jwt;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens. The result is the verified token, or the reason for the rejection.
 *
 * <p>The checks run in this order: the length, the MAC, the header, the claims. The MAC covers the received bytes and
 * is compared in its encoded form and in constant time. Therefore exactly one text is a valid signature. Before the MAC
 * is verified, nothing is parsed, and only the copy of the token may need memory in proportion to the token.
 *
 * <p>By default a token needs an {@code exp}. A token with an {@code aud} is rejected unless the verifier expects the
 * audience (RFC 7519 section 4.1.3). A token is rejected while its {@code iat} is in the future by more than the skew,
 * and by more than a second. The reason: a revocation covers earlier tokens and would miss a token with a later date.
 *
 * <p>Immutable: each {@code expecting…} and {@code with…} returns a new object. Safe for use by any number of threads.
 */
public final class JwtVerifier {

    /** The longest accepted token by default, in characters. */
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
     * Accepts tokens signed by this key only.
     *
     * @param key every token is rejected after the key is closed
     * @return a verifier that rejects tokens with an {@code aud} until an audience is set
     */
    public static JwtVerifier with(HmacKey key) {
        return with(RotatingKeys.startingWith(key));
    }

    /**
     * Accepts tokens signed by the keys of this ring, each key until its date.
     *
     * @param ring fixed; for rotation use {@link RotatingKeys}
     * @return a verifier that rejects tokens with an {@code aud} until an audience is set
     */
    public static JwtVerifier with(KeyRing ring) {
        return with(RotatingKeys.startingWith(ring));
    }

    /**
     * Accepts tokens signed by the current keys of a rotation.
     *
     * @param keys may be rotated at any time, on any thread
     * @return a verifier that uses the current ring at each call
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
     * @return a changed copy
     */
    public JwtVerifier expectingIssuer(String issuer) {
        return with(check.policy.withIssuer(issuer));
    }

    /**
     * Accepts only tokens with exactly this text in {@code aud}, as a string or in a list.
     *
     * @param audience compared character by character
     * @return a changed copy
     */
    public JwtVerifier expectingAudience(String audience) {
        return expectingAudienceAmong(List.of(audience));
    }

    /**
     * Accepts only tokens with at least one of these texts in {@code aud}. Use this method for a service with several
     * names.
     *
     * @param audiences at least one; compared character by character
     * @return a changed copy
     * @throws IllegalArgumentException if the collection is empty
     */
    public JwtVerifier expectingAudienceAmong(Collection<String> audiences) {
        if (audiences.isEmpty()) {
            throw new IllegalArgumentException(
                    "No token is meant for nobody; name an audience, or accept any by acceptingAnyAudience()");
        }
        return with(check.policy.withAudiences(audiences));
    }

    /**
     * Accepts every {@code aud}. Use this method only if a single service issues and receives all tokens of these keys.
     *
     * @return a changed copy
     */
    public JwtVerifier acceptingAnyAudience() {
        return with(check.policy.withAnyAudience());
    }

    /**
     * Accepts only tokens with this {@code typ} in the header, ignoring case and a leading {@code application/}. A
     * token without {@code typ} is rejected. Without this call, tokens with any {@code typ} and tokens without
     * {@code typ} are accepted.
     *
     * @param type 1 to 255 characters of visible ASCII
     * @return a changed copy
     * @throws IllegalArgumentException if the type is empty, longer than 255 characters or not visible ASCII
     */
    public JwtVerifier expectingType(String type) {
        TokenCheck typed = new TokenCheck(check.keys, check.clock, JoseHeader.requireType(type), check.policy);
        return new JwtVerifier(typed, maxLength);
    }

    /**
     * Accepts only tokens with all these claims, in addition to earlier calls. A claim with the value {@code null}
     * counts as absent.
     *
     * @param names of registered or custom claims; the values do not matter
     * @return a changed copy
     */
    public JwtVerifier requiringClaims(String... names) {
        return with(check.policy.withRequired(names));
    }

    /**
     * Allows this difference between clocks, in favour of the token. The default is zero. An {@code iat} may
     * always be one second ahead, because some issuers round up.
     *
     * @param skew zero to 5 minutes
     * @return a changed copy
     * @throws IllegalArgumentException if the skew is negative or more than 5 minutes
     */
    public JwtVerifier withSkew(Duration skew) {
        if (skew.isNegative() || skew.compareTo(LARGEST_SKEW) > 0) {
            throw new IllegalArgumentException("Clock skew must be between zero and " + LARGEST_SKEW + ", got " + skew);
        }
        return with(check.policy.withSkew(skew));
    }

    /**
     * Accepts only tokens with an {@code iat} at most this long ago. The skew extends this time. A token without an
     * {@code iat} is rejected.
     *
     * @param maxAge positive, at most a hundred years
     * @return a changed copy
     * @throws IllegalArgumentException if the age is not positive or more than a hundred years
     */
    public JwtVerifier withMaxAge(Duration maxAge) {
        if (maxAge.isNegative() || maxAge.isZero() || maxAge.toDays() > 36525) {
            throw new IllegalArgumentException(
                    "The maximum age must be positive and at most a hundred years, got " + maxAge);
        }
        return with(check.policy.withMaxAge(maxAge));
    }

    /**
     * Accepts tokens without an {@code exp}. Only a maximum age or a revocation ends such tokens.
     *
     * @return a changed copy
     */
    public JwtVerifier acceptingTokensWithoutExpiry() {
        return with(check.policy.withNoExpiryNeeded());
    }

    /**
     * Rejects tokens that are bound to a key: tokens with a claim {@code cnf} (RFC 7800), with any value except
     * {@code null}. Use this method if the client sends the token alone. Otherwise a thief of the token needs no key.
     * Without this call, such tokens are accepted, and the caller checks the proof of possession.
     *
     * @return a changed copy
     */
    public JwtVerifier rejectingBoundTokens() {
        return with(check.policy.withBearersOnly());
    }

    /**
     * Sets the longest accepted token.
     *
     * @param characters 1 to 65,535; a longer token is rejected without any other check
     * @return a changed copy
     * @throws IllegalArgumentException if the value is less than 1 or more than 65,535
     */
    public JwtVerifier withMaxLength(int characters) {
        if (characters < 1 || characters > LARGEST_MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "The maximum length must be between 1 and " + LARGEST_MAX_LENGTH + ", got " + characters);
        }
        return new JwtVerifier(check, characters);
    }

    /**
     * Uses this clock, to the millisecond.
     *
     * @param clock called once for each token
     * @return a changed copy
     */
    public JwtVerifier withTimeSource(InstantSource clock) {
        TokenCheck timed = new TokenCheck(check.keys, Objects.requireNonNull(clock, "clock"), check.type, check.policy);
        return new JwtVerifier(timed, maxLength);
    }

    /**
     * Verifies a token in its compact form.
     *
     * @param token {@code null} is rejected like any other malformed text
     * @return the verified token, or its first defect; no input causes an exception
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
     * As {@link #verify(String)}, for a token in ASCII that is part of an array. The bytes are copied first, so a
     * concurrent change of the array has no effect.
     *
     * @param buffer the array
     * @param offset the start of the token, in bytes
     * @param length of the token, in bytes
     * @return as {@link #verify(String)}
     * @throws IndexOutOfBoundsException if the part is outside the array
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
     * Verifies a token and throws an exception if the token is rejected.
     *
     * @param token {@code null} is rejected like any other malformed text
     * @return the verified token
     * @throws InvalidJwtException if the token is rejected
     */
    public VerifiedJwt verifyOrThrow(@Nullable String token) {
        JwtResult result = verify(token);
        if (result instanceof JwtResult.Verified verified) {
            return verified.jwt();
        }
        throw new InvalidJwtException(((JwtResult.Refused) result).defect());
    }

    /** The time when this verifier starts to reject a token that is accepted now; {@link Instant#MAX} if never. */
    Instant acceptedUntil(VerifiedJwt jwt) {
        Instant end = claimsAcceptedUntil(jwt);
        return jwt.endOfKey.isBefore(end) ? jwt.endOfKey : end;
    }

    /** Like {@link #acceptedUntil}, without the end of the key. A later ring may verify with the key for longer. */
    Instant claimsAcceptedUntil(VerifiedJwt jwt) {
        return check.policy.acceptedUntil(jwt);
    }

    private JwtVerifier with(ClaimsPolicy changed) {
        return new JwtVerifier(new TokenCheck(check.keys, check.clock, check.type, changed), maxLength);
    }
}
