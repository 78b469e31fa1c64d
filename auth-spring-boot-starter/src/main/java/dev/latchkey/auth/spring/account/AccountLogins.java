package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.LoginsProperties.WhenFull;
import dev.latchkey.auth.spring.token.RevocationReasons;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of each account: start, list, end, bound. A session exists for logins with refresh tokens only.
 *
 * <p>Thread-safe. Each method throws {@link AuthUnavailableException} if a store does not answer.
 */
public final class AccountLogins {

    /** The length of the claim {@code sid}: a SHA-256 in Base64url. */
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
     * The sessions in a store, with the service's bounds and records.
     *
     * @param store keeps the sessions
     * @param revocations records the revocations of access tokens
     * @param properties the bound for each account, and the recorded data
     * @param names the service's names of devices; null without names
     * @param reasons records the reason for each end, for clients that may be told; null without a record
     * @param listeners hear of each end and each rejection
     * @param clock the clock of the service
     * @return the sessions of the whole service
     * @throws LatchkeyConfigurationException if the bound counts kinds of devices, and devices have no names
     */
    public static AccountLogins of(
            LoginStore store,
            RevocationStore revocations,
            LatchkeyProperties properties,
            @Nullable LoginDevices names,
            @Nullable RevocationReasons reasons,
            List<LoginListener> listeners,
            InstantSource clock) {
        LatchkeyProperties.Login settings = properties.login();
        if (settings.whenFull() == WhenFull.END_OLDEST_OF_DEVICE && names == null) {
            throw new LatchkeyConfigurationException(
                    "latchkey.login.when-full is end-oldest-of-device, and nothing says what a device is called",
                    "Define a LoginDevices bean, or set latchkey.login.when-full to end-oldest.");
        }
        LoginListener all = new LoginListeners(listeners);
        LoginStore inTime = StoreTime.of(store);
        RevocationStore revoked = StoreTime.of(revocations);
        LiveLogins live = new LiveLogins(inTime, revoked);
        LoginEndings endings = new LoginEndings(inTime, revoked, properties.longestAfterAnEnd(), clock, all, reasons);
        return new AccountLogins(
                inTime,
                live,
                endings,
                boundOf(settings, inTime, live, endings),
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
     * The recorded device of a login.
     *
     * @param request the request of the login
     * @return {@link StoredLogin.Device#UNKNOWN} if the service records nothing
     */
    public StoredLogin.Device deviceOf(RequestContext request) {
        return devices.of(request);
    }

    /**
     * Whether a new session of this account would be rejected. Asks the store only if the bound rejects sessions.
     *
     * @param subjectId of the account
     * @return false if new sessions end older sessions
     * @throws AuthUnavailableException if the store does not answer
     */
    public boolean isFull(String subjectId) {
        return bound != null && bound.isFull(subjectId);
    }

    /**
     * Starts a session within the bound. This may end an older session.
     *
     * @param login a session that no store has yet
     * @return false if the account is full; the session then takes no place
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
     * Finds a session.
     *
     * @param id any text from a request
     * @return empty for an unknown id
     */
    public Optional<StoredLogin> find(String id) {
        return isId(id) ? store.find(id) : Optional.empty();
    }

    /**
     * The current sessions of an account.
     *
     * @param subjectId the account
     * @return the newest first, at most {@link LoginStore#MOST_OF_OWNER}
     */
    public List<StoredLogin> of(String subjectId) {
        return live.of(subjectId);
    }

    /**
     * Ends a session: its access tokens and refresh tokens become invalid. An ended session may be ended again.
     *
     * @param id the session's id
     * @param subjectId the session's subject
     * @param cause passed to the listeners
     */
    public void end(String id, String subjectId, LoginListener.Cause cause) {
        endings.end(id, subjectId, cause);
    }

    /**
     * Revokes all tokens of a subject up to now, with and without a session. Its sessions cannot be refreshed any more, and still
     * need {@link #end}.
     *
     * @param subjectId the subject
     */
    public void revokeAll(String subjectId) {
        endings.revokeAll(subjectId);
    }

    /** A request may contain an id of any length and with any characters. */
    private static boolean isId(String text) {
        return text.matches("[A-Za-z0-9_-]{" + ID_LENGTH + "}");
    }
}
