package dev.latchkey.auth;

import java.util.Optional;

/**
 * A plugin that asks for another proof after the credentials of a login were right: a one-time code, a passkey, a PIN.
 *
 * <p>The chain asks every step after each passed one, until no step wants anything more. Only then is the login complete. A step is asked once in a
 * login. Steps apply to every login, whichever source decided about the credentials. {@link IssuedCredentials} need no step: their login has passed all.
 */
public interface LoginStep extends AuthPlugin {

    /**
     * The proof that this plugin wants before this login is complete.
     *
     * @param login the login so far, with the factors of all passed steps
     * @param context of the request of the login
     * @return {@link Challenged#by}, or empty where this subject needs no step of this plugin
     * @throws AuthUnavailableException if the plugin could not find out; the login fails then
     */
    Optional<Challenged> wanted(Authenticated login, RequestContext context);

    /**
     * Checks the caller's response to a challenge of this plugin.
     *
     * @param response the challenge with its state, and the fields that the caller sent
     * @param context of the request that carried the response
     * @return {@link Passed}, {@link Rejected}, or {@link Challenged} where this plugin wants one more response
     * @throws AuthUnavailableException if the plugin could not decide
     */
    StepResult answer(ChallengeResponse response, RequestContext context);

    /**
     * Whether this plugin remembers the device of this request for this login, so that no step is wanted of a plain login from there. Logins that create
     * something lasting, an API key for example, want the step all the same.
     *
     * @param login the login so far
     * @param context of the request of the login, which may carry the device's token in a header field
     * @return {@code false} unless overridden
     * @throws AuthUnavailableException if the plugin could not find out
     */
    default boolean knowsDevice(Authenticated login, RequestContext context) {
        return false;
    }

    /**
     * Remembers the device of a completed login, if the caller asks for that. The caller keeps the token and sends it with later logins.
     *
     * @param login the complete login
     * @param context of the request that carried the response
     * @return empty unless overridden, and where this plugin does not remember devices, or not this account's
     * @throws AuthUnavailableException if the device could not be recorded; the login is valid all the same
     */
    default Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        return Optional.empty();
    }
}
