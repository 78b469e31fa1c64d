package dev.latchkey.auth.jwt;

/** A claim of a verified token is there, and of another type than the one asked for; the message names both, not the value. */
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
