package dev.latchkey.auth;

/**
 * Credentials issued by the service to a subject after a complete login, such as a token or an API key.
 *
 * <p>Their login has passed all steps, so the chain asks for no step.
 */
public interface IssuedCredentials extends RegisteredCredentials {}
