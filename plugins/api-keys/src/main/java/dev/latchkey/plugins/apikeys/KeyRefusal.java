package dev.latchkey.plugins.apikeys;

/** Why there is no key. */
public enum KeyRefusal implements KeyOutcome {
    /** The password or the code of the second step was wrong, or of another account. */
    NOT_PROVED,
    /** The account has as many keys as it may have, those that are over included. */
    TOO_MANY,
    /** A scope that the account may not give. */
    SCOPE_NOT_HELD,
    /** The account has no such key. */
    NO_SUCH_KEY,
    /**
     * Another rotation of the key came first, or the former secret of the last rotation is still good: another overlap would end that secret before the time that
     * was promised. A rotation without overlap ends it on purpose.
     */
    ROTATED_ALREADY
}
