package dev.latchkey.auth;

/**
 * A part of a service's logins. Configuration selects a plugin by its name.
 *
 * <p>A plugin implements one or more of these roles:
 *
 * <ul>
 *   <li>{@link LoginSource} decides about credentials: a password, a token, an API key.
 *   <li>{@link LoginStep} asks for a further proof after the right credentials: a one-time code, a passkey.
 *   <li>{@link CredentialsReader} reads credentials of its own kind from a request.
 *   <li>{@link GrantReader} reads credentials of its own kind from a token request.
 *   <li>{@link dev.latchkey.auth.permission.PermissionSource} decides about permissions of a subject.
 *   <li>{@link CredentialsRevoker} makes credentials invalid before they expire.
 * </ul>
 *
 * <p>The contract of every role:
 *
 * <ul>
 *   <li>A plugin is safe for use by any number of threads, platform or virtual.
 *   <li>A plugin answers with a value. Wrong or damaged input is never an exception. An outage is an
 *       {@link AuthUnavailableException}.
 *   <li>After its answer a plugin keeps no reference to credentials. No secret enters a message or a log.
 *   <li>After {@link #close()} a plugin authenticates no caller.
 * </ul>
 */
public interface AuthPlugin extends AutoCloseable {

    /**
     * The name of the plugin in the configuration: a lower-case letter, then at most 62 lower-case letters, digits and
     * hyphens.
     *
     * @return the same text at every call
     */
    String name();

    /**
     * Whether this plugin bounds its concurrent calls itself, or never waits. The service bounds the calls of any other
     * plugin, so a backend that hangs cannot occupy all threads.
     *
     * @return {@code false} unless overridden; the same at every call
     */
    default boolean boundsItsCalls() {
        return false;
    }

    /** Releases the resources of the plugin. A second call does nothing. Does nothing unless overridden. */
    @Override
    default void close() {}
}
