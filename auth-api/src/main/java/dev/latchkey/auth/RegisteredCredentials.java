package dev.latchkey.auth;

/**
 * Credentials that belong to a subject of the service, because the service registered or issued them after a complete login: a passkey, a token.
 *
 * <p>Their subject is named as the service names subjects, so the chain leaves the id as it is. The chain asks for steps after them, as after a password,
 * unless they are {@link IssuedCredentials}.
 */
public interface RegisteredCredentials extends Credentials {}
