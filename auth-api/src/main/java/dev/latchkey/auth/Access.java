package dev.latchkey.auth;

/** What a plugin says of a {@link Permission}. */
public enum Access {
    /** The subject may do this, and no further plugin is asked. */
    GRANTED,
    /** The subject may not do this, and no further plugin is asked. */
    DENIED,
    /** Not mine to say; where every plugin abstains, access is denied. */
    ABSTAINED
}
