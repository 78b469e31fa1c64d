package dev.latchkey.auth;

/** A plugin's answer about credentials: a {@link Verdict}, or {@link Abstained} if another plugin shall decide. */
public sealed interface Decision permits Verdict, Abstained {

    /**
     * The plugin does not know credentials of this kind, or has no such account.
     *
     * @return the only instance of {@link Abstained}
     */
    static Decision abstained() {
        return Abstained.INSTANCE;
    }
}
