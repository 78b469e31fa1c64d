package dev.latchkey.auth;

/** What a plugin says of a {@link Permission}. */
public enum Access {
    GRANTED,
    DENIED,
    /** Not mine to say; where every plugin abstains, access is denied. */
    ABSTAINED
}
