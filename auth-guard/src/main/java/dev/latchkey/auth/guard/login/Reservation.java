package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A login that the limits have admitted, until it is known what became of it.
 *
 * <p>Must be settled exactly once on every way out, an error included: until then others wait behind it. Safe for use by any
 * number of threads.
 */
public interface Reservation {

    /**
     * To be asked before a password is compared: the account that was found counts as well as the name that was sent, so that
     * the spellings that a store folds into one account share its limits.
     *
     * <p>Not to be asked for the stand-in that is compared where there is no account: all that do not exist would be one.
     *
     * @param storedHash of that account, which tells accounts apart; only a keyed digest of it is kept. An empty one tells nothing,
     *     and is not counted
     * @return completes as {@link LoginLimits#reserve} does. A refusal means that nothing may be compared; this login is then
     *     to be settled as {@link AttemptResult#NOT_ATTEMPTED}
     */
    CompletableFuture<Admission> found(String storedHash);

    /**
     * Whether what is remembered of right passwords may answer this login: where the right one was shown before, of the account that was found
     * last, or where none was found of the one that was named. Elsewhere it has to be checked as if nothing were remembered, see {@link
     * LimitedLogins#requireFound}.
     */
    boolean mayRecall();

    /** Says that the password is right, of the account that {@link #mayRecall} speaks of: whatever becomes of the login, it is known here. */
    void matched();

    /**
     * To be asked before another step is asked for. A place that is known for a time when the password was enough has proved nothing of the
     * step: it is a stranger's from now on, and what a stranger's login takes is taken of this one.
     *
     * @return completes as {@link LoginLimits#reserve} does, with what is to be settled in place of this. A refusal means that the step must
     *     not be asked for; this is then to be settled as {@link AttemptResult#NOT_ATTEMPTED}
     */
    CompletableFuture<Admission> challenged();

    /**
     * Says what became of the login.
     *
     * @param password that was presented, or null where it is not known: a wrong one that is repeated is one guess. Only a
     *     keyed digest of it is kept
     */
    void settle(AttemptResult result, @Nullable CharSequence password);

    /**
     * Settles the login as {@link AttemptResult#CHALLENGED}, once {@link #challenged} has admitted that: nobody waits behind it any more, and its tokens are spent for now.
     *
     * @return to be told whether the next step was passed, when somebody tries it: then the tokens go back, and the place is known.
     *     Told once; what it is told later changes nothing
     */
    Consumer<Boolean> settleChallenged();

    /**
     * Says that a step was added to the logins of this account and shown at this place, after this login was settled as a success that needed
     * none: the place has passed all steps.
     */
    void stepAdded();
}
