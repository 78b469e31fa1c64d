package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.account.LoginListener.Cause;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Lists and ends the sessions of any account, for the service's own code:
 *
 * <pre>{@code
 * logins.endOfDevice("alice", "desktop");
 * }</pre>
 *
 * <p>A bean of this type exists if {@code latchkey.login.refresh.enabled} is true. Otherwise the service records no
 * sessions. After the end of a session, no token of the session is valid on any node that shares the stores. The
 * sessions of an account count together, even if different plugins decided the logins.
 *
 * <p>Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} if a store does not answer.
 */
public final class LoginControl {

    private final AccountLogins logins;
    private final List<AuthChain> chains;
    private final InstantSource clock;

    /**
     * Creates the control of a service's sessions.
     *
     * @param logins the sessions of all accounts
     * @param chains the chains of all plugins
     * @param clock the clock of the service
     */
    public LoginControl(AccountLogins logins, List<AuthChain> chains, InstantSource clock) {
        this.logins = logins;
        this.chains = List.copyOf(chains);
        this.clock = clock;
    }

    /**
     * The current sessions of an account.
     *
     * @param account the id of the account, as {@code Authentication.getName()} returns the id
     * @return the sessions, the newest first
     */
    public List<StoredLogin> of(String account) {
        return StoreTime.forEachCall(() -> logins.of(account));
    }

    /**
     * Ends one session.
     *
     * @param id the id of the session; any text is allowed
     * @return the id of the session's account; empty if no session has this id
     */
    public Optional<String> end(String id) {
        Optional<StoredLogin> login = StoreTime.forEachCall(() -> logins.find(id));
        login.ifPresent(this::end);
        return login.map(StoredLogin::subjectId);
    }

    /**
     * Ends the sessions of the account from devices with this name. Tokens without a session stay valid.
     *
     * @param account the id of the account, as {@code Authentication.getName()} returns the id
     * @param device the name that {@link LoginDevices} gave the device at the login
     * @return the number of ended sessions
     */
    public int endOfDevice(String account, String device) {
        return end(account, login -> device.equals(login.device().name()));
    }

    /**
     * Ends all sessions of the account, and revokes all its tokens, including tokens without a session.
     *
     * @param account the id of the account, as {@code Authentication.getName()} returns the id
     * @return the number of ended sessions
     */
    public int endAll(String account) {
        List<StoredLogin> kept;
        try {
            kept = of(account);
        } finally {
            // Revoke the tokens even if the session store fails.
            revokeAll(account);
        }
        kept.forEach(this::end);
        return kept.size();
    }

    private void revokeAll(String account) {
        try {
            // First in the revocation store, where tokens are looked up. A chain without a plugin for tokens would
            // leave the tokens valid.
            logins.revokeAll(account);
        } finally {
            chains.forEach(chain -> chain.revokeAll(account, clock.instant()));
        }
    }

    private int end(String account, Predicate<StoredLogin> isMeant) {
        List<StoredLogin> meant = of(account).stream().filter(isMeant).toList();
        meant.forEach(this::end);
        return meant.size();
    }

    /** Each session has its own time limit: one request may not have enough time for all sessions of an account. */
    private void end(StoredLogin login) {
        boolean unused = StoreTime.forEachCall(() -> {
            logins.end(login.id(), login.subjectId(), Cause.OPERATOR);
            return true;
        });
    }
}
