package dev.latchkey.plugins.apikeys;

/** The reason why a key was not issued or not rotated. */
public enum KeyRefusal implements KeyOutcome {
    /**
     * The password or the code of the second step was wrong, or belongs to another account. Or the password changed, or
     * the account was revoked, during the request.
     */
    NOT_PROVED,
    /** The account has reached its limit of keys; expired keys count. */
    TOO_MANY,
    /** The request names a scope that the account may not grant. */
    SCOPE_NOT_HELD,
    /** The account has no such key. */
    NO_SUCH_KEY,
    /**
     * Another rotation of the key came first, or the former secret of the last rotation is still valid. In the second
     * case, a rotation with an overlap would end the former secret before its promised time. A rotation without an
     * overlap is then possible, and ends the former secret on purpose.
     */
    ROTATED_ALREADY
}
