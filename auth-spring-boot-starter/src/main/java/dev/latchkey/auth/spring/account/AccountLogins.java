package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.LoginsProperties.WhenFull;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoredLogin;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The logins of each account, as many as it may have: started, listed, and ended one by one. Those alone that refresh tokens prolong;
 * of others nothing is kept.
 *
 * <p>Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} where a store does not answer.
 */
public final class AccountLogins {

    /** What {@code sid} has: the SHA-256 of something random, in Base64url. */
    private static final int ID_LENGTH = 43;

    private final LoginStore store;
    private final LiveLogins live;
    private final LoginEndings endings;
    private final @Nullable LoginBound bound;
    private final RecordedDevices devices;
    private final LoginListener listener;

    private AccountLogins(
            LoginStore store,
            LiveLogins live,
            LoginEndings endings,
            @Nullable LoginBound bound,
            RecordedDevices devices,
            LoginListener listener) {
        this.store = store;
        this.live = live;
        this.endings = endings;
        this.bound = bound;
        this.devices = devices;
        this.listener = listener;
    }

    /**
     * Those in this store, as the service is configured.
     *
     * @param names what the service calls devices; null where it names none
     * @throws LatchkeyConfigurationException if each kind of device is to have so many, and none has a name
     */
    public static AccountLogins of(
            LoginStore store,
            RevocationStore revocations,
            LatchkeyProperties properties,
            @Nullable LoginDevices names,
            List<LoginListener> listeners,
            InstantSource clock) {
        LatchkeyProperties.Login settings = properties.login();
        if (settings.whenFull() == WhenFull.END_OLDEST_OF_DEVICE && names == null) {
            throw new LatchkeyConfigurationException(
                    "latchkey.login.when-full is end-oldest-of-device, and nothing says what a device is called",
                    "Define a LoginDevices bean, or set latchkey.login.when-full to end-oldest.");
        }
        LoginListener all = new LoginListeners(listeners);
        LiveLogins live = new LiveLogins(store, revocations);
        LoginEndings endings =
                new LoginEndings(store, revocations, properties.jwt().lifetime(), clock, all);
        return new AccountLogins(
                store,
                live,
                endings,
                boundOf(settings, store, live, endings),
                new RecordedDevices(names, settings.logins().recordAddress()),
                all);
    }

    private static @Nullable LoginBound boundOf(
            LatchkeyProperties.Login settings, LoginStore store, LiveLogins live, LoginEndings endings) {
        Integer most = settings.maxPerAccount();
        WhenFull whenFull = settings.whenFull();
        return most == null
                ? null
                : new LoginBound(store, live, endings, most, whenFull == null ? WhenFull.END_OLDEST : whenFull);
    }

    /** What is recorded of the device of a login that came with this request. */
    public StoredLogin.Device deviceOf(RequestContext request) {
        return devices.of(request);
    }

    /** Whether there is room for this login, and it has begun. One that is refused takes no place. */
    public boolean start(StoredLogin login) {
        if (bound == null) {
            store.start(login);
            return true;
        }
        boolean isStarted = bound.start(login);
        if (!isStarted) {
            listener.refused(login.subjectId());
        }
        return isStarted;
    }

    /** The login of this id; empty where there is none, and for what is no id. */
    public Optional<StoredLogin> find(String id) {
        return isId(id) ? store.find(id) : Optional.empty();
    }

    /** The logins of this account that are not over, the newest first; {@link LoginStore#MOST_OF_OWNER} at most. */
    public List<StoredLogin> of(StoredLogin.Owner owner) {
        return live.of(owner);
    }

    /**
     * Ends the login of this id: its access tokens and its refresh tokens are refused from then on.
     *
     * @param subjectId whose it is; one that has ended may be ended again
     */
    public void end(String id, String subjectId, LoginListener.Cause cause) {
        endings.end(id, subjectId, cause);
    }

    /**
     * Makes all tokens worthless that were issued to this subject before now, be they of a login or of none. Its logins cannot be prolonged
     * any more, and are still to be {@link #end ended}.
     */
    public void revokeAll(String subjectId) {
        endings.revokeAll(subjectId);
    }

    /** What anybody sends may be of any length, and hold what a store cannot. */
    private static boolean isId(String text) {
        return text.length() == ID_LENGTH
                && text.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || c == '-'
                                || c == '_');
    }
}
