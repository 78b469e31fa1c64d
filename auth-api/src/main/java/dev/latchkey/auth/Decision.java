package dev.latchkey.auth;

/** A plugin's answer about credentials: a {@link Verdict}, or {@link #abstained()} if another plugin shall decide. */
public sealed interface Decision permits Verdict, Abstained {

    /**
     * The plugin does not know credentials of this kind, or has no such account.
     *
     * @return always the same object
     */
    static Decision abstained() {
        return Abstained.INSTANCE;
    }
}
