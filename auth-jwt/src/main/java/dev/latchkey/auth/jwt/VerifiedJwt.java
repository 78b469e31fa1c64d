package dev.latchkey.auth.jwt;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a token that was verified. Only {@link JwtVerifier} makes one: holding it is the proof.
 *
 * <p>Values are made from the token's bytes when they are asked for. A claim that is absent or {@code null} gives an empty value. A claim of another
 * type than the method's throws a {@link ClaimTypeException}: a claim that is silently overlooked may be the one that forbids. Immutable; safe for use
 * by any number of threads. Prints no claim.
 */
public final class VerifiedJwt {

    private final byte[] header;
    private final byte[] payload;
    private final int issuer;
    private final int subject;
    private final int audience;
    private final int expiresAt;
    private final int notBefore;
    private final int issuedAt;
    private final int id;

    /** Made on demand; threads that race for it make equal ones, and the map's own final fields publish it safely. */
    @Nullable
    private Map<String, Object> claims;

    VerifiedJwt(byte[] header, byte[] payload, RegisteredClaims registered) {
        this.header = header;
        this.payload = payload;
        this.issuer = registered.issuer;
        this.subject = registered.subject;
        this.audience = registered.audience;
        this.expiresAt = registered.expiresAt;
        this.notBefore = registered.notBefore;
        this.issuedAt = registered.issuedAt;
        this.id = registered.id;
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
     * {@code aud}, whether written as a string or as a list; empty if absent.
     *
     * @return in the order of the token; unmodifiable
     */
    public List<String> audience() {
        return audience == 0
                ? List.of()
                : JsonReader.stringsOf(payload, JsonScanner.start(audience), JsonScanner.end(audience));
    }

    /**
     * {@code exp}; empty only if the verifier accepts tokens without. Digits beyond the nanosecond are cut off.
     *
     * @return from then on the token is refused, but for the skew
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
     * @return empty if absent; it is required only where a maximum age is
     */
    public Optional<Instant> issuedAt() {
        return instantAt(issuedAt);
    }

    /**
     * {@code jti}.
     *
     * @return empty if absent; then the token cannot be revoked alone
     */
    public Optional<String> id() {
        return textAt(id);
    }

    /**
     * The header's {@code kid}: the issuer's name for its key, which may differ from the name here.
     *
     * @return empty if absent; any text, since it is checked by nobody
     */
    public Optional<String> keyId() {
        return headerText("kid");
    }

    /**
     * The whole header; its values are as {@link #claims} describes.
     *
     * @return unmodifiable; {@code alg} is among it
     */
    public Map<String, Object> header() {
        return JsonReader.objectOf(header, header.length);
    }

    /**
     * The header's {@code typ}.
     *
     * @return empty if absent; it is compared only where a type is expected
     */
    public Optional<String> type() {
        return headerText("typ");
    }

    /**
     * A claim that is a string.
     *
     * @param claim its name
     * @return empty if it is absent or of another type
     */
    public Optional<String> text(String claim) {
        return typed(claim, String.class, "a string");
    }

    /**
     * A claim that is {@code true} or {@code false}.
     *
     * @param claim its name
     * @return empty if it is absent or of another type
     */
    public Optional<Boolean> bool(String claim) {
        return typed(claim, Boolean.class, "a boolean");
    }

    /**
     * A claim that is a number without a fraction, however written, within the range of {@code long}.
     *
     * @param claim its name
     * @return empty if it is absent, of another type, or does not fit
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
     * A claim that is a number, with every digit that it has.
     *
     * @param claim its name
     * @return empty if it is absent or of another type
     */
    public Optional<BigDecimal> decimal(String claim) {
        return present(claim) instanceof Long whole
                ? Optional.of(BigDecimal.valueOf(whole))
                : typed(claim, BigDecimal.class, "a number");
    }

    /**
     * A claim that is a list of strings.
     *
     * @param claim its name
     * @return empty if it is absent, or one of its elements is of another type; unmodifiable
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
     * A claim that is a list; its elements are as {@link #claims} describes.
     *
     * @param claim its name
     * @return empty if it is absent or of another type; unmodifiable
     */
    @SuppressWarnings("unchecked")
    public Optional<List<Object>> list(String claim) {
        return typed(claim, List.class, "a list").map(list -> (List<Object>) list);
    }

    /**
     * A claim that is an object; its members are as {@link #claims} describes.
     *
     * @param claim its name
     * @return empty if it is absent or of another type; unmodifiable
     */
    @SuppressWarnings("unchecked")
    public Optional<Map<String, Object>> object(String claim) {
        return typed(claim, Map.class, "an object").map(object -> (Map<String, Object>) object);
    }

    /**
     * All claims, registered or not, in the order of the token, unmodifiable: a {@code String}, a {@code Boolean}, a {@code Long}
     * for a number written without fraction or exponent that fits, else a {@code BigDecimal}, a {@code List} or {@code Map} of
     * these, or {@link JsonNull}.
     *
     * @return each as the token has it; dates are not instants here
     */
    public Map<String, Object> claims() {
        Map<String, Object> made = claims;
        if (made == null) {
            made = JsonReader.objectOf(payload, payload.length);
            claims = made;
        }
        return made;
    }

    /** Whether the value that begins here is one of those that RFC 7519 registers. */
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

    /** For who reads several claims at once. */
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

    /** No claim: tokens carry personal data, and a log is read by many. */
    @Override
    public String toString() {
        return "VerifiedJwt[****]";
    }
}
