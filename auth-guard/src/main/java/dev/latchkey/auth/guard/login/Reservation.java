package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A login that the limits have admitted, until it is known what became of it.
 *
 * <p>Must be settled exactly once on every way out, an error included: until then others wait behind it. Safe for use by any number of threads.
 */
public interface Reservation {

    /**
     * To be called before a password is compared. The account that was found counts as well as the name that was sent, so that the spellings that a
     * store folds into one account share its limits.
     *
     * <p>Not to be called for the stand-in that is compared where there is no account: all accounts that do not exist would be one.
     *
     * @param storedHash of that account, which tells accounts apart; only a keyed digest of it is kept. An empty one identifies no account, and is
     *     not counted
     * @return completes as {@link LoginLimits#reserve} does. A refusal means that nothing may be compared; this login is then to be settled as {@link
     *     AttemptResult#NOT_ATTEMPTED}
     */
    CompletableFuture<Admission> found(String storedHash);

    /**
     * Whether a cache of right passwords may answer this login: only where the right one was shown before. Elsewhere the password has to be checked
     * as if nothing were cached, see {@link LimitedLogins#requireFound}.
     *
     * @return about the account that was found last, or the one that was named where none was found
     */
    boolean mayRecall();

    /**
     * Says that the password is right, of the account that {@link #mayRecall} speaks of. Whatever becomes of the login, the password is known to have
     * been shown here.
     */
    void matched();

    /**
     * To be called before another step is asked for. A place that was known while the password was enough has proved nothing of the step: it is a
     * stranger's from now on, and this login takes what a stranger's login takes.
     *
     * @return completes as {@link LoginLimits#reserve} does, with what is to be settled in place of this. A refusal means that the step must not be
     *     asked for; this is then to be settled as {@link AttemptResult#NOT_ATTEMPTED}
     */
    CompletableFuture<Admission> challenged();

    /**
     * Says what became of the login.
     *
     * @param result which decides whether the tokens are spent
     * @param password that was presented, or null where it is not known: a wrong one that is repeated is one guess. Only a keyed digest of it is kept
     */
    void settle(AttemptResult result, @Nullable CharSequence password);

    /**
     * Settles the login as {@link AttemptResult#CHALLENGED}, once {@link #challenged} has admitted that. Nobody waits behind it any more, and its
     * tokens are spent for now.
     *
     * @return to be told whether the next step was passed, when somebody tries it. If it was, the tokens go back and the place is known. Only the
     *     first answer counts
     */
    Consumer<Boolean> settleChallenged();

    /**
     * Says that the account has proved a further step at this place, after this login was settled as a success that needed none. The place has then
     * passed all steps.
     */
    void stepAdded();
}
