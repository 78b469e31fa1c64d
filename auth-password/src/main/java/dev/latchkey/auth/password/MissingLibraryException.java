package dev.latchkey.auth.password;

/**
 * An optional library is necessary but missing. Thrown during the construction of encoders, never during a password
 * check. The message names the library, and the method that works without the library.
 */
public final class MissingLibraryException extends RuntimeException {

    private final String artifact;

    MissingLibraryException(String neededFor, String artifact, String otherwise) {
        super(neededFor + " needs " + artifact + " on the class path; add it, or " + otherwise);
        this.artifact = artifact;
    }

    /**
     * The missing library.
     *
     * @return as {@code group:artifact}
     */
    public String artifact() {
        return artifact;
    }
}
