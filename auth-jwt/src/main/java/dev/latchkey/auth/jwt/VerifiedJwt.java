package dev.latchkey.auth.jwt;

import dev.latchkey.auth.engine.Sha256;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a verified token. Only {@link JwtVerifier} creates this object, so the object proves the verification.
 *
 * <p>Values are created from the token's bytes on demand. An absent claim and a claim with the value {@code null} are
 * empty. A claim with the wrong type throws a {@link ClaimTypeException}, because an ignored claim could be a
 * restriction. Immutable; safe for use by any number of threads. Prints no claim.
 */
public final class VerifiedJwt {

    private static final String DIGEST_PREFIX = "payload-sha256:";

    private final byte[] header;
    private final byte[] payload;
    private final int issuer;
    private final int subject;
    private final int audience;
    private final int expiresAt;
    private final int notBefore;
    private final int issuedAt;
    private final int id;

    /** The end of the key that verified this token. */
    final Instant endOfKey;

    /** Created on demand. Racing threads create equal maps, and the map's final fields publish the map safely. */
    @Nullable
    private Map<String, Object> claims;

    VerifiedJwt(byte[] header, byte[] payload, RegisteredClaims registered, Instant endOfKey) {
        this.header = header;
        this.payload = payload;
        this.issuer = registered.issuer;
        this.subject = registered.subject;
        this.audience = registered.audience;
        this.expiresAt = registered.expiresAt;
        this.notBefore = registered.notBefore;
        this.issuedAt = registered.issuedAt;
        this.id = registered.id;
        this.endOfKey = endOfKey;
    }

    /**
     * {@code iss}.
     *
     * @return empty if absent
     */
    public Optional<String> issuer() {
        return textAt(issuer);
    }

    /**
     * {@code sub}.
     *
     * @return empty if absent
     */
    public Optional<String> subject() {
        return textAt(subject);
    }

    /**
     * {@code aud}, written as a string or as a list; empty if absent.
     *
     * @return in the order of the token; unmodifiable
     */
    public List<String> audience() {
        return audience == 0
                ? List.of()
                : JsonReader.stringsOf(payload, JsonScanner.start(audience), JsonScanner.end(audience));
    }

    /**
     * {@code exp}; empty only if the verifier accepts tokens without {@code exp}. Digits after the nanosecond are cut
     * off.
     *
     * @return the end of the token's validity, before adding the skew
     */
    public Optional<Instant> expiresAt() {
        return instantAt(expiresAt);
    }

    /**
     * {@code nbf}.
     *
     * @return empty if absent
     */
    public Optional<Instant> notBefore() {
        return instantAt(notBefore);
    }

    /**
     * {@code iat}.
     *
     * @return empty if absent; required only with a maximum age
     */
    public Optional<Instant> issuedAt() {
        return instantAt(issuedAt);
    }

    /**
     * {@code jti}.
     *
     * @return empty if absent
     */
    public Optional<String> id() {
        return textAt(id);
    }

    /**
     * The name of this token for a revocation: {@code jti}, or a digest of the payload. The prefix distinguishes the digest
     * from a {@code jti} that is a digest.
     */
    String revocationId() {
        return id == 0 ? DIGEST_PREFIX + digestOfPayload() : id().orElseThrow();
    }

    /** Covers the payload alone, so two tokens with equal payloads and different headers have the same id. */
    private String digestOfPayload() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(payload));
    }

    /**
     * The header's {@code kid}: the issuer's name for its key. The key may have another id here.
     *
     * @return empty if absent; any text, because the verifier does not check {@code kid}
     */
    public Optional<String> keyId() {
        return headerText("kid");
    }

    /**
     * The whole header; {@link #claims} describes the values.
     *
     * @return unmodifiable; includes {@code alg}
     */
    public Map<String, Object> header() {
        return JsonReader.objectOf(header, header.length);
    }

    /**
     * The header's {@code typ}.
     *
     * @return empty if absent; compared only if a type is expected
     */
    public Optional<String> type() {
        return headerText("typ");
    }

    /**
     * A claim with a string.
     *
     * @param claim its name
     * @return empty if absent
     */
    public Optional<String> text(String claim) {
        return typed(claim, String.class, "a string");
    }

    /**
     * A claim with {@code true} or {@code false}.
     *
     * @param claim its name
     * @return empty if absent
     */
    public Optional<Boolean> bool(String claim) {
        return typed(claim, Boolean.class, "a boolean");
    }

    /**
     * A claim with a whole number in any notation, within the range of {@code long}.
     *
     * @param claim its name
     * @return empty if absent
     */
    public Optional<Long> wholeNumber(String claim) {
        Object value = present(claim);
        if (value instanceof BigDecimal decimal) {
            try {
                return Optional.of(decimal.longValueExact());
            } catch (ArithmeticException e) {
                throw new ClaimTypeException(claim, "a whole number within the range of long", value);
            }
        }
        return typed(claim, Long.class, "a whole number");
    }

    /**
     * A claim with a number, with all its digits.
     *
     * @param claim its name
     * @return empty if absent
     */
    public Optional<BigDecimal> decimal(String claim) {
        return present(claim) instanceof Long whole
                ? Optional.of(BigDecimal.valueOf(whole))
                : typed(claim, BigDecimal.class, "a number");
    }

    /**
     * A claim with a list of strings. An element of another type throws a {@link ClaimTypeException}.
     *
     * @param claim its name
     * @return empty if absent; unmodifiable
     */
    @SuppressWarnings("unchecked")
    public Optional<List<String>> texts(String claim) {
        Optional<List<Object>> list = list(claim);
        for (Object element : list.orElse(List.of())) {
            if (!(element instanceof String)) {
                throw new ClaimTypeException(claim, "a list of strings only", list.get());
            }
        }
        return (Optional<List<String>>) (Optional<?>) list;
    }

    /**
     * A claim with a list; {@link #claims} describes the elements.
     *
     * @param claim its name
     * @return empty if absent; unmodifiable
     */
    @SuppressWarnings("unchecked")
    public Optional<List<Object>> list(String claim) {
        return typed(claim, List.class, "a list").map(list -> (List<Object>) list);
    }

    /**
     * A claim with an object; {@link #claims} describes the members.
     *
     * @param claim its name
     * @return empty if absent; unmodifiable
     */
    @SuppressWarnings("unchecked")
    public Optional<Map<String, Object>> object(String claim) {
        return typed(claim, Map.class, "an object").map(object -> (Map<String, Object>) object);
    }

    /**
     * All claims in the order of the token, unmodifiable: a {@code String}, a {@code Boolean}, a number, a {@code List}
     * or {@code Map} of these, or {@link JsonNull}. A number without fraction and exponent that fits is a {@code Long},
     * otherwise a {@code BigDecimal}.
     *
     * @return the values as in the token; dates are numbers here
     */
    public Map<String, Object> claims() {
        Map<String, Object> made = claims;
        if (made == null) {
            made = JsonReader.objectOf(payload, payload.length);
            claims = made;
        }
        return made;
    }

    /** Whether the value at this place belongs to a claim registered by RFC 7519. */
    boolean isRegisteredAt(int valueStart) {
        return isAt(valueStart, subject)
                || isAt(valueStart, issuedAt)
                || isAt(valueStart, expiresAt)
                || isAt(valueStart, id)
                || isAt(valueStart, issuer)
                || isAt(valueStart, audience)
                || isAt(valueStart, notBefore);
    }

    private static boolean isAt(int valueStart, int span) {
        return span != 0 && JsonScanner.start(span) == valueStart;
    }

    /** The start of one walk over several claims. */
    JsonMember beforeFirstClaim() {
        return JsonMember.beforeFirst(payload);
    }

    private Optional<String> textAt(int span) {
        return span == 0
                ? Optional.empty()
                : Optional.of(JsonText.textOf(payload, JsonScanner.start(span) + 1, JsonScanner.end(span) - 1));
    }

    private Optional<Instant> instantAt(int span) {
        return span == 0
                ? Optional.empty()
                : Optional.of(NumericDate.instantOf(payload, JsonScanner.start(span), JsonScanner.end(span)));
    }

    private Optional<String> headerText(String name) {
        return Optional.ofNullable((String) header().get(name));
    }

    private <T> Optional<T> typed(String claim, Class<T> type, String wanted) {
        Object value = present(claim);
        if (value == null) {
            return Optional.empty();
        }
        if (!type.isInstance(value)) {
            throw new ClaimTypeException(claim, wanted, value);
        }
        return Optional.of(type.cast(value));
    }

    @Nullable
    private Object present(String claim) {
        Map<String, Object> made = claims;
        Object value = made == null ? read(claim) : made.get(claim);
        return value instanceof JsonNull ? null : value;
    }

    @Nullable
    private Object read(String claim) {
        int span = JsonMember.spanOf(payload, claim);
        return span == JsonMember.ABSENT
                ? null
                : JsonReader.valueOf(payload, JsonScanner.start(span), JsonScanner.end(span));
    }

    /** Prints no claim: tokens contain personal data, and many people read logs. */
    @Override
    public String toString() {
        return "VerifiedJwt[****]";
    }
}
