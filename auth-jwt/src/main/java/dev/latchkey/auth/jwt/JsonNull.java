package dev.latchkey.auth.jwt;

/** The JSON value {@code null} inside a claim. */
public enum JsonNull {
    /** The only value. */
    NULL
}
