package dev.latchkey.auth;

/**
 * Credentials of a subject known to the service, because the service registered or issued the credentials after a
 * complete login: a passkey, a token.
 *
 * <p>Their subject has the service's own id, so the chain leaves the id unchanged. The chain asks for steps after them,
 * as after a password, unless they are {@link IssuedCredentials}.
 */
public interface RegisteredCredentials extends Credentials {}
