package dev.latchkey.auth.jwt;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a verifier for the claims, beyond correct syntax.
 *
 * @param issuer the only accepted {@code iss}; null accepts any
 * @param audiences {@code aud} must contain one of these; empty if no audience is expected
 * @param anyAudience whether tokens for other audiences are accepted
 * @param required names of required claims
 * @param skewMillis the allowed difference between clocks
 * @param maxAgeMillis the largest age since {@code iat}, or {@link #ANY_AGE}
 * @param withoutExpiry whether {@code exp} may be missing
 * @param bearersOnly whether tokens that are bound to a key are rejected
 */
record ClaimsPolicy(
        @Nullable ExpectedText issuer,
        List<ExpectedText> audiences,
        boolean anyAudience,
        List<ExpectedText> required,
        long skewMillis,
        long maxAgeMillis,
        boolean withoutExpiry,
        boolean bearersOnly) {

    static final long ANY_AGE = -1;

    /** The smallest allowed lead of {@code iat}: dates count whole seconds, and an issuer may round up. */
    private static final long ROUNDING_MILLIS = 1000;

    /** RFC 7800 section 3.1. */
    private static final ExpectedText CONFIRMATION = new ExpectedText("cnf");

    static final ClaimsPolicy STRICT = new ClaimsPolicy(null, List.of(), false, List.of(), 0, ANY_AGE, false, false);

    ClaimsPolicy withIssuer(String expected) {
        return new ClaimsPolicy(
                new ExpectedText(expected),
                audiences,
                anyAudience,
                required,
                skewMillis,
                maxAgeMillis,
                withoutExpiry,
                bearersOnly);
    }

    ClaimsPolicy withAudiences(Collection<String> expected) {
        List<ExpectedText> texts = expected.stream().map(ExpectedText::new).toList();
        return new ClaimsPolicy(issuer, texts, false, required, skewMillis, maxAgeMillis, withoutExpiry, bearersOnly);
    }

    ClaimsPolicy withAnyAudience() {
        return new ClaimsPolicy(
                issuer, List.of(), true, required, skewMillis, maxAgeMillis, withoutExpiry, bearersOnly);
    }

    ClaimsPolicy withRequired(String... names) {
        List<ExpectedText> more = new ArrayList<>(required);
        for (String name : names) {
            more.add(new ExpectedText(name));
        }
        return new ClaimsPolicy(
                issuer,
                audiences,
                anyAudience,
                List.copyOf(more),
                skewMillis,
                maxAgeMillis,
                withoutExpiry,
                bearersOnly);
    }

    ClaimsPolicy withSkew(Duration allowed) {
        return new ClaimsPolicy(
                issuer, audiences, anyAudience, required, allowed.toMillis(), maxAgeMillis, withoutExpiry, bearersOnly);
    }

    ClaimsPolicy withMaxAge(Duration allowed) {
        return new ClaimsPolicy(
                issuer, audiences, anyAudience, required, skewMillis, allowed.toMillis(), withoutExpiry, bearersOnly);
    }

    ClaimsPolicy withNoExpiryNeeded() {
        return new ClaimsPolicy(issuer, audiences, anyAudience, required, skewMillis, maxAgeMillis, true, bearersOnly);
    }

    ClaimsPolicy withBearersOnly() {
        return new ClaimsPolicy(
                issuer, audiences, anyAudience, required, skewMillis, maxAgeMillis, withoutExpiry, true);
    }

    /** Whether {@link #check} needs the names of the scanned members. */
    boolean asksForNames() {
        return !required.isEmpty();
    }

    /** The first broken rule; null if the claims break no rule. */
    @Nullable
    JwtDefect check(RegisteredClaims claims, byte[] json, JsonScanner scanner, int members, long now) {
        JwtDefect untimely = checkTimes(claims, json, now);
        if (untimely != null) {
            return untimely;
        }
        if (issuer != null && !isText(issuer, json, claims.issuer)) {
            return JwtDefect.WRONG_ISSUER;
        }
        if (!isForUs(claims.audience, json)) {
            return JwtDefect.WRONG_AUDIENCE;
        }
        for (ExpectedText name : required) {
            if (!hasMember(name, json, scanner, members)) {
                return JwtDefect.MISSING_CLAIM;
            }
        }
        return bearersOnly && hasMember(CONFIRMATION, json, scanner, members) ? JwtDefect.BOUND_TO_KEY : null;
    }

    @Nullable
    private JwtDefect checkTimes(RegisteredClaims claims, byte[] json, long now) {
        long earliest = now - skewMillis;
        long latest = now + skewMillis;
        if (claims.expiresAt == 0) {
            if (!withoutExpiry) {
                return JwtDefect.NO_EXPIRY;
            }
        } else if (compare(json, claims.expiresAt, earliest) <= 0) {
            // exp == now is expired: RFC 7519 section 4.1.4 says "on or after".
            return JwtDefect.EXPIRED;
        }
        if (claims.notBefore != 0 && compare(json, claims.notBefore, latest) > 0) {
            return JwtDefect.NOT_YET_VALID;
        }
        if (maxAgeMillis != ANY_AGE
                && (claims.issuedAt == 0 || compare(json, claims.issuedAt, earliest - maxAgeMillis) < 0)) {
            return JwtDefect.TOO_OLD;
        }
        if (claims.issuedAt != 0 && compare(json, claims.issuedAt, now + Math.max(skewMillis, ROUNDING_MILLIS)) > 0) {
            // Otherwise a revocation of the subject before the token's date would miss this token.
            return JwtDefect.NOT_YET_VALID;
        }
        return null;
    }

    /**
     * The time when {@link #check} starts to reject this accepted token, in whole milliseconds of the clock;
     * {@link Instant#MAX} if never.
     */
    Instant acceptedUntil(VerifiedJwt jwt) {
        // accepted while now - skew < exp
        Instant expiry = jwt.expiresAt()
                .map(time -> wholeMilli(time).plusMillis(skewMillis))
                .orElse(Instant.MAX);
        if (maxAgeMillis == ANY_AGE) {
            return expiry;
        }
        // accepted while now - skew - age <= iat; rejected a millisecond later
        Instant tooOld = jwt.issuedAt()
                .map(time -> time.truncatedTo(ChronoUnit.MILLIS).plusMillis(maxAgeMillis + skewMillis + 1))
                .orElse(Instant.MAX);
        return expiry.isBefore(tooOld) ? expiry : tooOld;
    }

    /** Rounds up to a whole millisecond. */
    private static Instant wholeMilli(Instant instant) {
        // Runs for each token; Instant.truncatedTo is slower, because it works with the length of a day.
        Instant cut = Instant.ofEpochMilli(instant.toEpochMilli());
        return cut.equals(instant) ? cut : cut.plusMillis(1);
    }

    private static int compare(byte[] json, int span, long epochMillis) {
        return NumericDate.compare(json, JsonScanner.start(span), JsonScanner.end(span), epochMillis);
    }

    private static boolean isText(ExpectedText text, byte[] json, int span) {
        return span != 0 && text.isAt(json, JsonScanner.start(span) + 1, JsonScanner.end(span) - 1);
    }

    /** RFC 7519 section 4.1.3: a service rejects a token if none of the token's audiences names the service. */
    private boolean isForUs(int span, byte[] json) {
        if (audiences.isEmpty()) {
            return span == 0 || anyAudience;
        }
        boolean isList = span != 0 && json[JsonScanner.start(span)] == '[';
        List<String> named =
                isList ? JsonReader.stringsOf(json, JsonScanner.start(span), JsonScanner.end(span)) : List.of();
        for (int i = 0; i < audiences.size(); i++) {
            ExpectedText audience = audiences.get(i);
            if (isList ? named.contains(audience.text()) : isText(audience, json, span)) {
                return true;
            }
        }
        return false;
    }

    /** A member with the value {@code null} is absent, as in {@link VerifiedJwt}. */
    private static boolean hasMember(ExpectedText name, byte[] json, JsonScanner scanner, int members) {
        for (int member = 0; member < members; member++) {
            if (name.isAt(json, scanner.nameStart(member), scanner.nameEnd(member))) {
                return json[JsonScanner.start(scanner.valueSpan(member))] != 'n';
            }
        }
        return false;
    }
}
