package dev.latchkey.auth.spring.token;

/**
 * Receives the outcome for each token that a {@code JwtDecoder} reads, as an {@link dev.latchkey.auth.AuthListener} does for those that
 * plugins read.
 *
 * <p>A decoder stands in Spring Security's own chain, which counts its logins and publishes its events by itself, and does not know
 * what is wrong with a token; only that is reported here.
 */
@FunctionalInterface
public interface TokenListener {

    /** For a token with no defect. */
    String NO_DEFECT = "none";

    TokenListener NONE = defect -> {};

    /**
     * A token was checked.
     *
     * @param defect one of few stable codes, never something of the token
     */
    void checked(String defect);
}
