package dev.latchkey.auth.spring.token;

/**
 * Receives the outcome for each token that a {@code JwtDecoder} reads, as an {@link dev.latchkey.auth.engine.AuthListener} does for those that plugins read.
 *
 * <p>A decoder stands in Spring Security's own chain, which counts its logins and publishes its events by itself. It does not know what is wrong with
 * a token, so that alone is reported here.
 */
@FunctionalInterface
public interface TokenListener {

    /** The code of a token that has no defect. */
    String NO_DEFECT = "none";

    /** Hears of nothing: for a service that has no listener, or more than one. */
    TokenListener NONE = defect -> {};

    /**
     * A token was checked. Called on the thread that checks it, so it must be quick.
     *
     * @param defect one of few stable codes, never something of the token
     */
    void checked(String defect);
}
