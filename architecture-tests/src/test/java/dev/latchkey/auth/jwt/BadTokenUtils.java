package dev.latchkey.auth.jwt;

/** Breaks the rule on names on purpose. */
public final class BadTokenUtils {

    /** Named after the mechanism. */
    public static final class BadTokenImpl {}

    /** Named after the mechanism. */
    public static final class AbstractToken {}
}
