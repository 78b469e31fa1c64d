package dev.latchkey.auth;

/** Not mine, ask the next; see {@link Decision#abstained()}. */
public final class Abstained implements Decision {

    static final Abstained INSTANCE = new Abstained();

    private Abstained() {}

    @Override
    public String toString() {
        return "Abstained[]";
    }
}
