package dev.latchkey.auth;

/**
 * The plugin does not decide about these credentials, so the chain asks the next plugin; see
 * {@link Decision#abstained()}.
 */
final class Abstained implements Decision {

    static final Abstained INSTANCE = new Abstained();

    private Abstained() {}

    @Override
    public String toString() {
        return "Abstained[]";
    }
}
