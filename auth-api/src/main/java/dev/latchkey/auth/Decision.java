package dev.latchkey.auth;

/** One plugin's answer about credentials: a {@link Verdict}, or {@link Abstained} where another plugin shall decide. */
public sealed interface Decision permits Verdict, Abstained {

    /**
     * The plugin does not know credentials of this kind, or has no such account.
     *
     * @return the one value that says so
     */
    static Decision abstained() {
        return Abstained.INSTANCE;
    }
}
