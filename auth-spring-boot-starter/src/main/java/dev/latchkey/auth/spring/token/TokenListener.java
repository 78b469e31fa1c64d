package dev.latchkey.auth.spring.token;

/**
 * Receives the outcome for each token at a {@code JwtDecoder}, as an {@link dev.latchkey.auth.engine.AuthListener} does for
 * tokens at plugins.
 *
 * <p>Spring Security's own chain contains the decoder, counts its logins and publishes its events. Spring Security does not know
 * the defect of a token, so only the defect is reported here.
 */
@FunctionalInterface
public interface TokenListener {

    /** The code of a token without a defect. */
    String NO_DEFECT = "none";

    /** Ignores all outcomes: for a service without a listener, or with several. */
    TokenListener NONE = defect -> {};

    /**
     * A token was checked. Called on the checking thread, so the method must be quick.
     *
     * @param defect a stable code from a small set, never a part of the token
     */
    void checked(String defect);
}
