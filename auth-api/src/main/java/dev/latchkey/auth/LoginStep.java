package dev.latchkey.auth;

import java.util.Optional;

/**
 * A plugin for another proof after the right credentials of a login: a one-time code, a passkey, a PIN.
 *
 * <p>After each passed step the chain asks the remaining steps in their order. The first step that wants a proof
 * challenges the caller. If no step wants a proof, the login is complete. A login passes each step at most once. Steps
 * apply to every login, independent of the source of the credentials. {@link IssuedCredentials} need no step: their login
 * has passed all steps.
 */
public interface LoginStep extends AuthPlugin {

    /**
     * The proof required by this plugin for this login.
     *
     * @param login the incomplete login, with the factors of all passed steps
     * @param context of the request of the login
     * @return {@link Challenged#by}, or empty if this subject needs no step of this plugin
     * @throws AuthUnavailableException if the plugin could not decide; the login fails then
     */
    Optional<Challenged> wanted(Authenticated login, RequestContext context);

    /**
     * Checks the caller's response to a challenge of this plugin.
     *
     * @param response the challenge with its state, and the fields from the caller
     * @param context of the request with the response
     * @return {@link Passed}, {@link Rejected}, or {@link Challenged} if this plugin wants one more response
     * @throws AuthUnavailableException if the plugin could not decide
     */
    StepResult answer(ChallengeResponse response, RequestContext context);

    /**
     * Whether this plugin remembers the device of this request for this login. A plain login from a remembered device
     * needs no step. A login for a lasting change, a new API key for example, needs the step even there.
     *
     * @param login the incomplete login
     * @param context of the request of the login, possibly with the device's token in a header field
     * @return {@code false} unless overridden
     * @throws AuthUnavailableException if the plugin could not decide
     */
    default boolean knowsDevice(Authenticated login, RequestContext context) {
        return false;
    }

    /**
     * Remembers the device of a completed login, at the request of the caller. The caller keeps the token and sends the
     * token with later logins.
     *
     * @param login the complete login
     * @param context of the request with the response
     * @return empty unless overridden, and if this plugin does not remember devices, or not the devices of this account
     * @throws AuthUnavailableException if the device could not be recorded; the login is valid even so
     */
    default Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        return Optional.empty();
    }
}
