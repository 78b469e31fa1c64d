package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An admitted login, until its result is known.
 *
 * <p>Settle the reservation exactly once, also after an error. Until then other logins wait. Safe for use by any number
 * of threads.
 */
public interface Reservation {

    /**
     * Call this method before a password is compared. The limits then count the found account in addition to the
     * presented name. Therefore all spellings of one account share its limits.
     *
     * <p>Do not call this method for the dummy hash of a missing account. Otherwise all missing accounts would share
     * the limits of one account.
     *
     * @param storedHash identifies the account; only a keyed digest is kept. A text that is too short, or has too few
     *     different characters, is no salted hash. Such a text identifies no account and is not counted
     * @return completes as {@link LoginLimits#reserve} does. After a rejection, do not compare the password, and settle
     *     this login as {@link AttemptResult#NOT_ATTEMPTED}
     */
    CompletableFuture<Admission> found(String storedHash);

    /**
     * Whether a cache of right passwords may answer this login. A cache may answer only if this client has shown the
     * right password before. Otherwise check the password without the cache, see {@link LoginLimitGate#requireFound}.
     *
     * @return for the account found last, or the named account if none was found
     */
    boolean mayRecall();

    /**
     * Whether this login leaves hashing permits to other logins while permits are scarce. True if this client has
     * failed lately, for any account, and has not shown this account's right password before.
     *
     * @return for the account of {@link #mayRecall}; by the same rule for missing accounts
     */
    boolean leavesRoom();

    /**
     * Reports that the password is right, for the account of {@link #mayRecall}. This client then counts as having
     * shown the password, whatever the login's result.
     */
    void matched();

    /**
     * Call this method before another step is requested. A client known from logins with the password alone has proved
     * nothing about the step. Such a client is no longer known, and this login takes the tokens of an unknown client's
     * login.
     *
     * @return completes as {@link LoginLimits#reserve} does, with a replacement for this reservation. After a
     *     rejection, do not request the step, and settle this reservation as {@link AttemptResult#NOT_ATTEMPTED}
     */
    CompletableFuture<Admission> challenged();

    /**
     * Reports the result of the login.
     *
     * @param result decides whether the tokens are spent
     * @param password the wrong password, because a repeated wrong password counts as one guess. Null if the password
     *     is not known, or if another secret may be wrong. Only a keyed digest is kept
     */
    void settle(AttemptResult result, @Nullable CharSequence password);

    /**
     * Settles the login as {@link AttemptResult#CHALLENGED}, after {@link #challenged} has admitted the challenge. No
     * login waits behind this login any more, and the tokens of this login are spent for now.
     *
     * @return receives {@code true} if the step was passed. Then the tokens are returned, and the client is known. Only
     *     the first answer counts
     */
    Consumer<Boolean> settleChallenged();

    /**
     * Reports that the account has proved an additional step with this client, after this login succeeded without this
     * step. The client has then passed all steps.
     */
    void stepAdded();
}
