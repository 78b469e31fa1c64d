package dev.latchkey.auth.spring.token;

/**
 * Is told what came of each token that a decoder was asked about, as an {@link dev.latchkey.auth.AuthListener} is of those that
 * plugins are asked about.
 *
 * <p>A decoder stands in Spring Security's own chain, which counts its logins and publishes its events by itself, and does not know
 * what is wrong with a token; that alone is told here.
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
