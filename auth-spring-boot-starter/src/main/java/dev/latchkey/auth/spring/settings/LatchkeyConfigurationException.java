package dev.latchkey.auth.spring.settings;

/** The service cannot start because of its Latchkey configuration: what is wrong, and what to write. */
public final class LatchkeyConfigurationException extends RuntimeException {

    private final String action;

    public LatchkeyConfigurationException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    String action() {
        return action;
    }
}
