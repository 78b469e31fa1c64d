package dev.latchkey.auth;

/**
 * Credentials that the service registered or issued after a complete login: a passkey, a token.
 *
 * <p>The subject has the service's own id, so the chain does not rename the subject, except after {@link
 * dev.latchkey.auth.engine.AuthChain#withSharedSubjectsAlone}. The chain asks for steps after a login with such
 * credentials, as after a password. After {@link IssuedCredentials}, the chain asks for no step.
 *
 * <p>The source of these credentials answers for the present state of the account. The source must ask the account's own
 * source, by {@link dev.latchkey.auth.engine.DecidedLogins#account}. Otherwise a disabled account still logs in.
 */
public interface RegisteredCredentials extends Credentials {}
