package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.permission.Permission;
import java.time.Duration;

/**
 * A decision of an {@link AuthChain}, a failure to decide, a revocation, or an event counted by a plugin; for audit and metrics.
 * An event contains the kind of the credentials, without the credentials or any secret.
 */
public sealed interface AuthEvent {

    /**
     * Credentials were authenticated, rejected or challenged.
     *
     * @param plugin the deciding plugin; empty if all abstained
     * @param kind the credentials' type
     * @param account the claimed account, not proved; empty without a claim. Escape this text before logging: the text may
     *     contain line breaks, or a password typed into the wrong field
     * @param elapsed from the start of the login to the verdict, including the time in the {@link LoginGate}
     */
    record Decided(String plugin, Class<? extends Credentials> kind, String account, Verdict verdict, Duration elapsed)
            implements AuthEvent {}

    /** No verdict: the plugin's store is down, the plugin is overloaded, or the caller is rate-limited. */
    record Unavailable(
            String plugin,
            Class<? extends Credentials> kind,
            String account,
            AuthUnavailableException.Kind cause,
            Duration elapsed)
            implements AuthEvent {}

    /** No verdict: the plugin broke its contract. */
    record Failed(String plugin, Class<? extends Credentials> kind, String account, Duration elapsed)
            implements AuthEvent {}

    /** A permission was granted or denied. If all plugins abstained, {@code plugin} is empty and the permission is denied. */
    record AccessDecided(String plugin, Subject subject, Permission permission, boolean granted) implements AuthEvent {}

    /**
     * No decision about a permission, so the permission is not granted: the plugin's store is down, or the plugin is overloaded.
     */
    record AccessUnavailable(String plugin, Subject subject, Permission permission, AuthUnavailableException.Kind cause)
            implements AuthEvent {}

    /** No decision about a permission, so the permission is not granted: the plugin broke its contract. */
    record AccessFailed(String plugin, Subject subject, Permission permission) implements AuthEvent {}

    /** Credentials of this kind were revoked. */
    record Revoked(Class<? extends Credentials> kind) implements AuthEvent {}

    /** All earlier credentials of this subject were revoked. */
    record SubjectRevoked(String subjectId) implements AuthEvent {}

    /** The plugin counted an event of its own; see {@link dev.latchkey.auth.factory.PluginEnvironment#count}. */
    record Counted(String plugin, String event) implements AuthEvent {}
}
