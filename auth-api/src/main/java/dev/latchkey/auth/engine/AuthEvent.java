package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import java.time.Duration;

/**
 * A decision of an {@link AuthChain}, or its failure to decide, for audit and metrics. It holds the kind of the credentials, and neither them nor any
 * secret.
 */
public sealed interface AuthEvent {

    /**
     * Credentials were authenticated, rejected or challenged.
     *
     * @param plugin whose verdict it is; empty where all abstained
     * @param kind the credentials' type
     * @param account the account that the credentials claim, not proved; empty where they claim none. Before it is logged: it may have line breaks, and
     *     may be a password that was typed into the wrong field
     * @param elapsed from the first plugin asked to the verdict
     */
    record Decided(String plugin, Class<? extends Credentials> kind, String account, Verdict verdict, Duration elapsed)
            implements AuthEvent {}

    /** No verdict: the plugin's store is down, it is overloaded, or the caller is throttled. */
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

    /** A permission was granted or denied; {@code plugin} is empty where all abstained, which denies. */
    record AccessDecided(String plugin, Subject subject, Permission permission, boolean granted) implements AuthEvent {}

    /** No decision about a permission, which is then not granted: the plugin's store is down, or the plugin is overloaded. */
    record AccessUnavailable(String plugin, Subject subject, Permission permission, AuthUnavailableException.Kind cause)
            implements AuthEvent {}

    /** No decision about a permission, which is then not granted: the plugin broke its contract. */
    record AccessFailed(String plugin, Subject subject, Permission permission) implements AuthEvent {}

    /** Credentials of this kind were revoked. */
    record Revoked(Class<? extends Credentials> kind) implements AuthEvent {}

    /** All that was issued to this subject before was revoked. */
    record SubjectRevoked(String subjectId) implements AuthEvent {}
}
