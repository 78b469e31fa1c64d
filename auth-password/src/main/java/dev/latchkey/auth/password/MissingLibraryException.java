package dev.latchkey.auth.password;

/**
 * An optional library is needed and not there. Thrown while encoders are put together, never while a password is checked. The message says what to
 * add and what to call to do without.
 */
public final class MissingLibraryException extends RuntimeException {

    private final String artifact;

    MissingLibraryException(String neededFor, String artifact, String otherwise) {
        super(neededFor + " needs " + artifact + " on the class path; add it, or " + otherwise);
        this.artifact = artifact;
    }

    /**
     * The library to add.
     *
     * @return as {@code group:artifact}
     */
    public String artifact() {
        return artifact;
    }
}
