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
 * Lists and ends the logins of any account, for the service's own code:
 *
 * <pre>{@code
 * logins.endOfDevice("alice", "desktop");
 * }</pre>
 *
 * <p>A bean of this type is there where {@code latchkey.login.refresh.enabled} is true: other logins are recorded nowhere. An ended login has no good
 * token on any node that shares the stores. The logins of an account count together, whichever plugin decided each login.
 *
 * <p>Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} if a store does not answer.
 */
public final class LoginControl {

    private final AccountLogins logins;
    private final List<AuthChain> chains;
    private final InstantSource clock;

    /**
     * The logins of a service.
     *
     * @param logins of all accounts
     * @param chains of all plugins
     * @param clock of the service
     */
    public LoginControl(AccountLogins logins, List<AuthChain> chains, InstantSource clock) {
        this.logins = logins;
        this.chains = List.copyOf(chains);
        this.clock = clock;
    }

    /**
     * The logins of the account that are not over.
     *
     * @param account its id, as {@code Authentication.getName()} has it
     * @return the newest first
     */
    public List<StoredLogin> of(String account) {
        return StoreTime.forEachCall(() -> logins.of(account));
    }

    /**
     * Ends one login.
     *
     * @param id of the login, in any form
     * @return the id of its account; empty if no login has this id
     */
    public Optional<String> end(String id) {
        Optional<StoredLogin> login = logins.find(id);
        login.ifPresent(this::end);
        return login.map(StoredLogin::subjectId);
    }

    /**
     * Ends the logins of the account from devices of this name. Tokens without a recorded login stay good.
     *
     * @param account its id, as {@code Authentication.getName()} has it
     * @param device as {@link LoginDevices} named it at the login
     * @return the number of ended logins
     */
    public int endOfDevice(String account, String device) {
        return end(account, login -> device.equals(login.device().name()));
    }

    /**
     * Ends all logins of the account, and revokes all its tokens, also those without a recorded login.
     *
     * @param account its id, as {@code Authentication.getName()} has it
     * @return the number of ended logins
     */
    public int endAll(String account) {
        List<StoredLogin> kept;
        try {
            kept = of(account);
        } finally {
            // Also while the store of the sessions fails.
            revokeAll(account);
        }
        kept.forEach(this::end);
        return kept.size();
    }

    private void revokeAll(String account) {
        try {
            // First where tokens are looked up: a chain whose plugins read none would leave them good.
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

    /** An account may have more logins than a request has time for. */
    private void end(StoredLogin login) {
        boolean unused = StoreTime.forEachCall(() -> {
            logins.end(login.id(), login.subjectId(), Cause.OPERATOR);
            return true;
        });
    }
}
