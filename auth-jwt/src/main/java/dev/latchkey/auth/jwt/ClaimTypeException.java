package dev.latchkey.auth.jwt;

/**
 * A verified token has the claim, but with another type. The message names the claim and both types, never the value.
 */
public final class ClaimTypeException extends RuntimeException {

    ClaimTypeException(String claim, String wanted, Object value) {
        super("Claim '" + claim + "' is not " + wanted + " but " + kindOf(value));
    }

    private static String kindOf(Object value) {
        if (value instanceof String) {
            return "a string";
        }
        if (value instanceof Number) {
            return "another number";
        }
        if (value instanceof Boolean) {
            return "a boolean";
        }
        return value instanceof Iterable ? "a list" : "an object";
    }
}
