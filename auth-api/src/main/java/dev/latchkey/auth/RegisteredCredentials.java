package dev.latchkey.auth;

/**
 * Credentials that the service registered or issued after a complete login: a passkey, a token.
 *
 * <p>The subject has the service's own id, so the chain does not rename the subject. The chain asks for steps after a
 * login with such credentials, as after a password. After {@link IssuedCredentials}, the chain asks for no step.
 */
public interface RegisteredCredentials extends Credentials {}
