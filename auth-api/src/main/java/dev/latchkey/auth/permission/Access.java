package dev.latchkey.auth.permission;

/** A plugin's answer to a {@link Permission}. */
public enum Access {
    /** The subject has the permission. The chain asks no further plugin. */
    GRANTED,
    /** The subject does not have the permission. The chain asks no further plugin. */
    DENIED,
    /** The plugin does not decide. If every plugin abstains, access is denied. */
    ABSTAINED
}
