package dev.latchkey.throttle.spring;

/** The service cannot start because of the configuration of its throttles. Says what is wrong, and what to write instead. */
final class ThrottleConfigurationException extends RuntimeException {

    private final String action;

    /**
     * @param problem what is wrong, with the property and never with a secret
     * @param action what to write instead, as a sentence
     */
    ThrottleConfigurationException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    String action() {
        return action;
    }
}
