package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.spring.settings.LoginsProperties.WhenFull;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.StoredLogin;
import java.util.List;
import java.util.Objects;

/**
 * Starts sessions within the bound of an account.
 *
 * <p>Start and count are two steps: a session starts first and is counted afterwards. If two sessions start at the same time, on
 * any nodes, at least one of the two starts counts the other session ({@link LoginStore}). So the bound holds after both counts:
 *
 * <ul>
 *   <li>If the oldest sessions end, all nodes choose the same oldest sessions. The newest sessions remain.
 *   <li>If new sessions are rejected, two sessions that compete for the last place may both be rejected, and never both accepted.
 * </ul>
 *
 * <p>If a node dies between the two steps, the account may have a session too many until the next count. If new sessions are
 * rejected, this session takes a place until the session expires or is ended. No client has the session's token.
 */
final class LoginBound {

    private final LoginStore store;
    private final LiveLogins live;
    private final LoginEndings endings;
    private final int most;
    private final WhenFull whenFull;

    LoginBound(LoginStore store, LiveLogins live, LoginEndings endings, int most, WhenFull whenFull) {
        this.store = store;
        this.live = live;
        this.endings = endings;
        this.most = most;
        this.whenFull = whenFull;
    }

    /** Whether the account had room, and the session has started. */
    boolean start(StoredLogin login) {
        if (isFull(login.subjectId())) {
            return false;
        }
        try {
            store.start(login);
            return hasRoom(login);
        } catch (RuntimeException e) {
            withdraw(login, e);
            throw e;
        }
    }

    /** Whether a new session of this account would be rejected. */
    boolean isFull(String subjectId) {
        return whenFull == WhenFull.REFUSE && live.of(subjectId).size() >= most;
    }

    private boolean hasRoom(StoredLogin login) {
        List<StoredLogin> newestFirst = peersOf(login);
        if (newestFirst.size() <= most) {
            return true;
        }
        if (whenFull == WhenFull.REFUSE) {
            // No client received an access token of the session, so no revocation is needed.
            store.end(login.id());
            return false;
        }
        for (StoredLogin old : newestFirst.subList(most, newestFirst.size())) {
            endings.end(old.id(), old.subjectId(), LoginListener.Cause.DISPLACED);
        }
        return true;
    }

    /** The sessions under the same bound, the new session included. */
    private List<StoredLogin> peersOf(StoredLogin login) {
        List<StoredLogin> all = live.of(login.subjectId());
        if (whenFull != WhenFull.END_OLDEST_OF_DEVICE) {
            return all;
        }
        String device = login.device().name();
        return all.stream()
                .filter(other -> Objects.equals(device, other.device().name()))
                .toList();
    }

    /** No client receives these tokens, so the session should take no place. */
    private void withdraw(StoredLogin login, RuntimeException cause) {
        try {
            store.end(login.id());
        } catch (RuntimeException e) {
            if (!e.equals(cause)) {
                // An exception cannot suppress itself.
                cause.addSuppressed(e);
            }
        }
    }
}
