package dev.latchkey.auth.spring.settings;

/** The service cannot start because of its Latchkey configuration. Says what is wrong, and what to write instead. */
public final class LatchkeyConfigurationException extends RuntimeException {

    private final String action;

    /**
     * A mistake that whoever configures the service can correct.
     *
     * @param problem what is wrong, with the property and never with a secret
     * @param action what to write instead, as a sentence
     */
    public LatchkeyConfigurationException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    String action() {
        return action;
    }
}
