package dev.latchkey.plugins.apikeys;

/** The reason of a refused key. */
public enum KeyRefusal implements KeyOutcome {
    /** The password or the code of the second step was wrong, or belongs to another account. */
    NOT_PROVED,
    /** The account has reached its limit of keys; expired keys count. */
    TOO_MANY,
    /** The account may not grant one of the scopes. */
    SCOPE_NOT_HELD,
    /** The account has no such key. */
    NO_SUCH_KEY,
    /**
     * Another rotation of the key came first, or the former secret of the last rotation is still valid. Another overlap
     * would end this secret before its promised time. A rotation without overlap ends the secret on purpose.
     */
    ROTATED_ALREADY
}
