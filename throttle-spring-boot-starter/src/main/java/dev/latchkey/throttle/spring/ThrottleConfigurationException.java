package dev.latchkey.throttle.spring;

/** The service cannot start because of the configuration of its throttles. Contains the problem and the correction. */
final class ThrottleConfigurationException extends RuntimeException {

    private final String action;

    /**
     * @param problem the problem with the name of the property, without a secret
     * @param action the correction, as a sentence
     */
    ThrottleConfigurationException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    String action() {
        return action;
    }
}
