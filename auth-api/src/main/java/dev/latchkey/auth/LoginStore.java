package dev.latchkey.auth;

import java.util.Optional;

/**
 * Remembers the logins that refresh tokens prolong, one entry for each.
 *
 * <p>The default is {@link InMemoryLoginStore}, which lives in one process; several nodes need an implementation that keeps
 * them on a server which all of them share. Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} if the store cannot answer.
 */
public interface LoginStore {

    /** Holds a new login. A store that is full may forget another one, whose subject then has to log in again. */
    void start(StoredLogin family);

    /** The login of this id; empty where it ended, or was forgotten. */
    Optional<StoredLogin> find(String id);

    /**
     * Puts {@code next} in the place of the login of its id, if the hash of that one's token is still the expected one.
     *
     * <p>One atomic step: of several calls with the same expectation, on any number of nodes, one at most is answered with
     * {@code true}. On this hangs that a token is good once. The whole of {@code next} is written by it, {@link StoredLogin#replaced}
     * among it: who was too late finds there what the winner was given.
     *
     * @return whether it was put there
     */
    boolean replace(String expectedTokenHash, StoredLogin next);

    /**
     * Ends a login: none of its tokens is good any more.
     *
     * @return whether it was there
     */
    boolean end(String id);
}
