package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Remembers the logins that refresh tokens prolong, one entry for each.
 *
 * <p>The default is {@link InMemoryLoginStore}, which lives in one process; several nodes need an implementation that keeps them on a server which all
 * of them share. Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} if the store cannot answer; any other exception is
 * a defect, which ends the request as one. What was acknowledged is seen by every node from then on: read from where it was written, and not from a replica
 * that comes after.
 *
 * <p>Clocks of nodes differ by a few seconds, so a login is kept a minute, say, beyond {@link StoredLogin#expiresAt()}, which {@link #replace} moves on.
 *
 * <p><b>How many logins an account may have</b> is enforced by the caller, not by the store. The caller starts the new login, asks for {@link #ofOwner
 * all of the account's}, and ends those that are too many. Of two logins that are started at once, on any nodes, at least one sees the other, so the
 * bound is never exceeded for long: {@code ofOwner} has every login whose start returned before it was called, and in one order for all nodes. So a
 * store needs no lock on an account, and no step over two of its entries.
 */
public interface LoginStore {

    /** How many logins of one account a store holds. */
    int MOST_OF_OWNER = 50;

    /**
     * Adds a new login. If its owner has more than {@link #MOST_OF_OWNER}, the oldest is forgotten. A store that is full may forget another login as
     * well. The owner of a forgotten login has to log in again; access tokens of that login are valid until they expire.
     *
     * @param login of an id that no other one has
     */
    void start(StoredLogin login);

    /**
     * The logins of this account that have not expired by this node's clock, {@link #MOST_OF_OWNER} at most.
     *
     * <p>The newest first: in the order in which the store took them, whatever clocks say and however they were prolonged since. All
     * nodes get them in the same order. Each is as {@link #find} has it.
     *
     * @param owner the account; one of the same name in another plugin is another account
     * @return a list of its own, which does not change with the store; empty where there are none
     */
    List<StoredLogin> ofOwner(StoredLogin.Owner owner);

    /**
     * The login of this id; empty where it ended, or was forgotten.
     *
     * @param id as {@link StoredLogin#id()} has it
     * @return the login as it was written last, whichever node did; one that is over may still be found
     */
    Optional<StoredLogin> find(String id);

    /**
     * Puts {@code next} in the place of the login of its id, if the hash of that one's token is still the expected one.
     *
     * <p>One atomic step: of several calls with the same expectation, on any number of nodes, one at most is answered with {@code true}. So a refresh
     * token can be used only once. All of {@code next} is written, with {@link StoredLogin#replaced}: a caller that was too late finds there what the
     * winner was given.
     *
     * <p>After an outage it may be there all the same. The client comes again with its old token, and is answered as one that was too late for as long as
     * {@link StoredLogin.Replaced#at()} is no longer ago than the race window of refreshes; later its login is ended. A store that knows that each call which put {@code
     * next} there has failed may give the present time there instead.
     *
     * @param expectedTokenHash as {@link StoredLogin#tokenHash()} had it when the login was read; the same as the new one's to write it once more
     * @param next a login of the same id
     * @return whether it was put there
     */
    boolean replace(String expectedTokenHash, StoredLogin next);

    /**
     * Ends a login: none of its tokens is good any more.
     *
     * @param id as {@link StoredLogin#id()} has it; one that is unknown changes nothing
     * @return whether it was there
     */
    boolean end(String id);

    /**
     * This store, each of whose calls takes no longer than that, and no longer than its own deadline. {@link StoreTime} asks for one at each call, so it
     * should cost an object and nothing else.
     *
     * @param longest how long a call may take; later than that it is an outage
     * @return a view of this store; this store itself unless overridden, which keeps its own deadline
     */
    default LoginStore within(Duration longest) {
        return this;
    }
}
