package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the sessions of refresh tokens, with an entry for each session.
 *
 * <p>The default is {@link InMemoryLoginStore}, for a single process. Several nodes need an implementation on a server
 * shared by all nodes. Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} if
 * the store cannot answer. Any other exception is a defect, and the request ends with an error. After a method returns,
 * every node sees the change: read from the server of the write, not from a delayed replica.
 *
 * <p>Clocks of nodes differ by a few seconds. Therefore keep a session for about a minute beyond
 * {@link StoredLogin#expiresAt()}. {@link #replace} changes this time.
 *
 * <p><b>The limit of sessions per account</b> is enforced by the caller, not by the store. The caller starts the new
 * session, reads {@link #ofOwner all sessions of the account}, and ends the sessions beyond the limit. Two sessions may
 * start at the same time, on any nodes. Then at least one caller sees the other session, so the limit is never exceeded
 * for long. The reason: {@code ofOwner} contains every session whose {@code start} returned before, in the same order
 * for all nodes. So a store needs no lock for an account, and no transaction over two entries.
 */
public interface LoginStore {

    /** The greatest number of an account's sessions in a store. */
    int MOST_OF_OWNER = 50;

    /**
     * Adds a new session. If its account then has more than {@link #MOST_OF_OWNER} sessions, the store removes the oldest
     * session of the account. A full store may remove a session of any account. The user of a removed session has to log
     * in again. Access tokens of the session are valid until they expire.
     *
     * @param login with a unique id
     */
    void start(StoredLogin login);

    /**
     * The account's sessions that have not expired by this node's clock, at most {@link #MOST_OF_OWNER}.
     *
     * <p>Newest first: in the order of their start in the store, independent of clocks and later refreshes. All nodes
     * get the same order. Each session is equal to the result of {@link #find}.
     *
     * @param subjectId the account: {@link StoredLogin#subjectId()}, whichever plugin decided each login
     * @return a copy, unchanged by later calls; empty without sessions
     */
    List<StoredLogin> ofOwner(String subjectId);

    /**
     * The session with this id; empty if the session has ended or was removed.
     *
     * @param id as {@link StoredLogin#id()}
     * @return the latest state, written by any node; an expired session may still be found
     */
    Optional<StoredLogin> find(String id);

    /**
     * Replaces the session by {@code next}, if the hash of the stored token is still the expected hash.
     *
     * <p>The operation is atomic: of several calls that replace the same hash by another hash, on any number of nodes, at
     * most one returns {@code true}. So a refresh token can be used only once. All fields of {@code next} are written.
     * The field {@link StoredLogin#replaced} is needed to give a late caller the same answer as the first caller.
     *
     * <p>After an outage the change may be in the store. The client then repeats its old token. Within the race window
     * after {@link StoredLogin.Replaced#at()}, the client gets the answer of a late caller. After the window, its session
     * ends. If the store knows that each call with this {@code next} has failed, the store may set {@code at} to the
     * present time.
     *
     * @param expectedTokenHash {@link StoredLogin#tokenHash()} at the time of the reading. To repeat a write, pass the
     *     hash of {@code next}
     * @param next a session with the same id
     * @return whether {@code next} was written
     */
    boolean replace(String expectedTokenHash, StoredLogin next);

    /**
     * Ends a session: its refresh token is invalid. The {@link RevocationStore} revokes the access tokens of the session.
     *
     * @param id as {@link StoredLogin#id()}; an unknown id changes nothing
     * @return whether the session existed
     */
    boolean end(String id);

    /**
     * A view of this store in which each call takes at most the given time, and at most the store's own deadline.
     * {@link StoreTime} creates a view for each call, so a view should cost an object and nothing else.
     *
     * @param longest the time for a call; a longer call is an outage
     * @return a view of this store; unless overridden, this store with its own deadline
     */
    default LoginStore within(Duration longest) {
        return this;
    }
}
