package dev.latchkey.auth;

/**
 * Credentials that the service issued to a subject after a complete login, such as a token or an API key.
 *
 * <p>Their login has passed all steps, so the chain asks for no step.
 */
public interface IssuedCredentials extends RegisteredCredentials {}
