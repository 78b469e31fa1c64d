package dev.latchkey.auth;

/** A plugin's answer to a {@link Permission}. */
public enum Access {
    /** The subject may do this, and no further plugin is asked. */
    GRANTED,
    /** The subject may not do this, and no further plugin is asked. */
    DENIED,
    /** The plugin does not decide; where every plugin abstains, access is denied. */
    ABSTAINED
}
