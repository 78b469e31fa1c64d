package dev.latchkey.auth;

/**
 * Credentials that the service issued to a subject after a complete login, such as a token or an API key.
 *
 * <p>Their login has passed all steps, so the chain asks for no step. Their subject is named as the service names subjects, so the chain leaves the id as
 * it is.
 */
public interface IssuedCredentials extends Credentials {}
