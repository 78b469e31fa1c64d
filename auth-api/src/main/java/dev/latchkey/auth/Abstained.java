package dev.latchkey.auth;

/** These credentials are for another plugin, which is asked next; see {@link Decision#abstained()}. */
public final class Abstained implements Decision {

    static final Abstained INSTANCE = new Abstained();

    private Abstained() {}

    @Override
    public String toString() {
        return "Abstained[]";
    }
}
