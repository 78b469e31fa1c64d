package dev.latchkey.auth.jwt;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts a caller's values to values for a token; {@link JsonReader} lists the types. */
final class JsonValues {

    private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);

    private JsonValues() {}

    /**
     * A deep, unmodifiable copy.
     *
     * @param depth the nesting depth of the value; the claims themselves have depth 1
     * @throws IllegalArgumentException if JSON or a verifier does not accept the value
     */
    static Object copyOf(String claim, Object value, int depth) {
        if (value instanceof String text) {
            JsonText.requireWellFormed(text, "Claim '" + claim + "'");
            return text;
        }
        if (value instanceof Number number) {
            return numberOf(claim, number);
        }
        if (value instanceof Boolean || value instanceof JsonNull) {
            return value;
        }
        if (value instanceof Collection || value instanceof Map) {
            if (depth == JsonScanner.MAX_DEPTH) {
                throw refused(claim, "is nested deeper than " + JsonScanner.MAX_DEPTH + " levels");
            }
            return value instanceof Map<?, ?> map
                    ? copyOfMap(claim, map, depth + 1)
                    : copyOfList(claim, (Collection<?>) value, depth + 1);
        }
        throw refused(
                claim,
                "holds a "
                        + (value == null
                                ? "null; write JsonNull.NULL"
                                : value.getClass().getName())
                        + "; allowed are strings, numbers, booleans, collections and maps of these, and JsonNull");
    }

    private static List<Object> copyOfList(String claim, Collection<?> list, int depth) {
        List<Object> copy = new ArrayList<>(list.size());
        for (Object element : list) {
            copy.add(copyOf(claim, element, depth));
        }
        return Collections.unmodifiableList(copy);
    }

    private static Map<String, Object> copyOfMap(String claim, Map<?, ?> map, int depth) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((name, value) -> {
            if (!(name instanceof String text)) {
                throw refused(claim, "holds a map whose keys are not all strings");
            }
            JsonText.requireWellFormed(text, "A name within claim '" + claim + "'");
            copy.put(text, copyOf(claim, value, depth));
        });
        return Collections.unmodifiableMap(copy);
    }

    private static Object numberOf(String claim, Number number) {
        if (number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte) {
            return number.longValue();
        }
        BigDecimal decimal = decimalOf(claim, number);
        byte[] text = decimal.toString().getBytes(StandardCharsets.US_ASCII);
        if (JsonNumber.scan(text, 0, text.length) != text.length) {
            throw refused(
                    claim,
                    "holds a number of more than " + JsonNumber.MAX_LENGTH + " characters or 3 digits of exponent");
        }
        return narrowed(decimal);
    }

    private static BigDecimal decimalOf(String claim, Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal;
        }
        if (number instanceof BigInteger integer) {
            return new BigDecimal(integer);
        }
        if ((number instanceof Double || number instanceof Float) && Double.isFinite(number.doubleValue())) {
            // The shortest text that reads back as the same double or float.
            return new BigDecimal(number.toString());
        }
        throw refused(
                claim, "holds a number that JSON cannot write: a finite number of java.lang or java.math is needed");
    }

    /** Returns a {@code Long} if nothing is lost, including the scale: 1.0 and 1E3 stay unchanged. */
    static Object narrowed(BigDecimal decimal) {
        if (decimal.scale() != 0) {
            return decimal;
        }
        BigInteger integer = decimal.unscaledValue();
        boolean fits = integer.compareTo(MIN_LONG) >= 0 && integer.compareTo(MAX_LONG) <= 0;
        return fits ? (Object) integer.longValue() : decimal;
    }

    private static IllegalArgumentException refused(String claim, String why) {
        return new IllegalArgumentException("Claim '" + claim + "' " + why);
    }
}
