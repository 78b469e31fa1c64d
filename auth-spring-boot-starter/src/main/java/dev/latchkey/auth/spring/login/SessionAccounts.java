package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a session may continue, by the present state of its account. Asks only the plugin that decided the login. By
 * now, the account may be disabled, or have other authorities or another password. The tokens of the account may be revoked.
 * Without the plugin, the session is over.
 *
 * @param longest the longest duration of a session, even if the session began under a longer lifetime: revocations are kept for
 *     this time
 */
record SessionAccounts(AuthChain plugins, RevocationStore revocations, Duration longest) {

    /** The active account of this subject. */
    Optional<Authenticated> active(String plugin, String subjectId) {
        return plugins.decidedLogins()
                .active(plugin, subjectId)
                .filter(account -> account.subject().id().equals(subjectId));
    }

    /** The active account of this session; empty if the session is over: expired, revoked, or with a changed account. */
    Optional<Authenticated> of(StoredLogin session, RefreshToken present, String client, Instant now) {
        return now.isBefore(session.expiresAt())
                        && now.isBefore(session.startedAt().plus(longest))
                ? active(session.plugin(), session.subjectId())
                        .filter(account -> hasStamp(session, present, account.stamp(), client))
                        // All accounts without a password have the same stamp, so the creation of the account counts
                        // too.
                        .filter(account -> !account.isYoungerThan(session.startedAt()))
                        .filter(account -> !revocations.isSubjectRevoked(session.subjectId(), session.startedAt()))
                        // The store may still have an ended session: the store failed at the end of the session, or
                        // returned to
                        // an earlier state.
                        .filter(account -> !revocations.isTokenRevoked(session.id()))
                : Optional.empty();
    }

    /**
     * Whether the session belongs to one of these clients. The client of a session is known only with the present token and the
     * unchanged account. Otherwise the session is over at the next refresh, so every bearer may end the session.
     */
    boolean isOfAny(Set<String> clients, StoredLogin session, RefreshToken present) {
        try {
            return active(session.plugin(), session.subjectId())
                    .filter(account ->
                            clients.stream().anyMatch(client -> hasStamp(session, present, account.stamp(), client)))
                    .isPresent();
        } catch (AuthUnavailableException e) {
            return false;
        }
    }

    private static boolean hasStamp(StoredLogin session, RefreshToken present, @Nullable Secret stamp, String client) {
        return stamp != null && RefreshToken.isSame(present.stampOf(stamp, client), session.stamp());
    }
}
