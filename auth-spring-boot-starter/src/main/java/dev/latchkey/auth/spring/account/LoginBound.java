package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.spring.settings.LoginsProperties.WhenFull;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import java.util.List;
import java.util.Objects;

/**
 * Starts logins, so many of an account at a time.
 *
 * <p>No step of it is atomic. A login is started first and counted afterwards, and of two that are started at once, on any nodes, one
 * at least counts the other ({@link LoginStore}). So an account never keeps more than it may have once both have counted:
 *
 * <ul>
 *   <li>Where the oldest end, all nodes take the same ones for the oldest, so what is left is as many as may be, and the newest.
 *   <li>Where the new one is refused, two that compete for the last place may both be; they never both get it.
 * </ul>
 *
 * <p>A node that dies in between leaves a login too many until the next one counts; where new ones are refused, nobody has the token of
 * that login, and it holds its place until it expires or is ended.
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

    /** The same, asked in the time of one request. */
    LoginBound during(StoreTime time) {
        return new LoginBound(time.of(store), live.during(time), endings.during(time), most, whenFull);
    }

    /** Whether there is room for it, and it has begun. */
    boolean start(StoredLogin login) {
        if (whenFull == WhenFull.REFUSE && live.of(login.owner()).size() >= most) {
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

    private boolean hasRoom(StoredLogin login) {
        List<StoredLogin> newestFirst = peersOf(login);
        if (newestFirst.size() <= most) {
            return true;
        }
        if (whenFull == WhenFull.REFUSE) {
            // Its access token has been given to nobody: nothing is to be revoked.
            store.end(login.id());
            return false;
        }
        for (StoredLogin old : newestFirst.subList(most, newestFirst.size())) {
            endings.end(old.id(), old.subjectId(), LoginListener.Cause.DISPLACED);
        }
        return true;
    }

    /** The logins that it shares its places with, itself among them. */
    private List<StoredLogin> peersOf(StoredLogin login) {
        List<StoredLogin> all = live.of(login.owner());
        if (whenFull != WhenFull.END_OLDEST_OF_DEVICE) {
            return all;
        }
        String device = login.device().name();
        return all.stream()
                .filter(other -> Objects.equals(device, other.device().name()))
                .toList();
    }

    /** Nobody gets its tokens, so it should hold no place either. */
    private void withdraw(StoredLogin login, RuntimeException cause) {
        try {
            store.end(login.id());
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}
