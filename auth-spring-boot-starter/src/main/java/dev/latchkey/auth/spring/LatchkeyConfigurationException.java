package dev.latchkey.auth.spring;

/** The service cannot start because of its Latchkey configuration: what is wrong, and what to write. */
final class LatchkeyConfigurationException extends RuntimeException {

    private final String action;

    LatchkeyConfigurationException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    String action() {
        return action;
    }
}
