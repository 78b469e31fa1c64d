package dev.latchkey.auth.password;

/** An optional library is needed and not there. Thrown while encoders are put together, never while a password is checked. */
public final class MissingLibraryException extends RuntimeException {

    private final String artifact;

    MissingLibraryException(String neededFor, String artifact, String otherwise) {
        super(neededFor + " needs " + artifact + " on the class path; add it, or " + otherwise);
        this.artifact = artifact;
    }

    /** What to add, as {@code group:artifact}. */
    public String artifact() {
        return artifact;
    }
}
