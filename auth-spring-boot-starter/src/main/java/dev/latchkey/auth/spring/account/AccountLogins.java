package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.LoginsProperties.WhenFull;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The logins of each account, as many as it may have: started, listed, and ended one by one. Only logins that refresh tokens prolong are kept here;
 * of others nothing is.
 *
 * <p>Safe for use by any number of threads. Each method that asks a store throws {@link AuthUnavailableException} where it does not answer.
 */
public final class AccountLogins {

    /** The length of the claim {@code sid}: the SHA-256 of something random, in Base64url. */
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
     * The logins in a store, with the bounds and the records that a service is configured for.
     *
     * @param store where they are kept
     * @param revocations where their access tokens are revoked
     * @param properties how many an account may have, and what is recorded of each
     * @param names what the service calls devices; null where it names none
     * @param listeners told of each end and each refusal
     * @param clock of the service
     * @return for the whole service
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

    /**
     * The same logins, asked in the time that stores have of one request.
     *
     * @param time of the request
     * @return for this request
     */
    public AccountLogins during(StoreTime time) {
        return new AccountLogins(
                time.of(store),
                live.during(time),
                endings.during(time),
                bound == null ? null : bound.during(time),
                devices,
                listener);
    }

    /**
     * What is recorded of the device that a login comes from.
     *
     * @param request of the login
     * @return {@link StoredLogin.Device#UNKNOWN} where the service records nothing
     */
    public StoredLogin.Device deviceOf(RequestContext request) {
        return devices.of(request);
    }

    /**
     * Starts a login, if there is room for it; may end an older one for that.
     *
     * @param login that no store has yet
     * @return false where it was refused: then it takes no place
     */
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

    /**
     * Finds a login.
     *
     * @param id what anybody sent, of any form
     * @return empty where there is none
     */
    public Optional<StoredLogin> find(String id) {
        return isId(id) ? store.find(id) : Optional.empty();
    }

    /**
     * The logins of an account that are not over.
     *
     * @param owner the account
     * @return the newest first; {@link LoginStore#MOST_OF_OWNER} at most
     */
    public List<StoredLogin> of(StoredLogin.Owner owner) {
        return live.of(owner);
    }

    /**
     * Ends a login: its access tokens and its refresh tokens are refused from then on. One that has ended may be ended again.
     *
     * @param id of the login
     * @param subjectId whose it is
     * @param cause told to the listeners
     */
    public void end(String id, String subjectId, LoginListener.Cause cause) {
        endings.end(id, subjectId, cause);
    }

    /**
     * Makes all tokens worthless that were issued to a subject before now, of a login or of none. Its logins cannot be prolonged any more, and are
     * still to be {@link #end ended}.
     *
     * @param subjectId whose tokens they are
     */
    public void revokeAll(String subjectId) {
        endings.revokeAll(subjectId);
    }

    /** Anybody can send an id of any length, with characters that a store cannot hold. */
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
