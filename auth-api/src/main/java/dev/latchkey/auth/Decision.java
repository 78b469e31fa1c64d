package dev.latchkey.auth;

/** What one plugin says of credentials: a {@link Verdict}, or {@link Abstained} where they are for another plugin. */
public sealed interface Decision permits Verdict, Abstained {

    /**
     * This plugin does not know such credentials, or no such account.
     *
     * @return the one value that says so
     */
    static Decision abstained() {
        return Abstained.INSTANCE;
    }
}
