package dev.latchkey.auth;

/** A plugin's answer to a {@link Permission}. */
public enum Access {
    GRANTED,
    DENIED,
    /** The plugin does not decide; where every plugin abstains, access is denied. */
    ABSTAINED
}
