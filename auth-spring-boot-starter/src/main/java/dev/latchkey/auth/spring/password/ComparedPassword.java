package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.AttemptResult;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AccountStatusException;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderNotFoundException;
import org.springframework.security.authentication.password.CompromisedPasswordException;
import org.springframework.security.core.Authentication;

/**
 * The password of a login, and the results of its comparisons. A repeated wrong password is one guess. But a provider of the service
 * may check a code too: then the same password with another code is a new guess. A failure counts as a wrong password only if a
 * comparison has failed and none has matched. A rejection for the state of the account or of the password counts too. So does a
 * missing answer of the manager, unless a comparison has matched.
 *
 * <p>Holds the password during the login only. Safe for use by any number of threads.
 */
public final class ComparedPassword {

    /** A provider that notes each comparison here, and calls {@link #askingNext} first. */
    public interface Noting extends AuthenticationProvider {}

    private static final CurrentLogin.Part<ComparedPassword> PART = new CurrentLogin.Part<>();

    private final @Nullable CharSequence password;
    private volatile boolean hasMatched;
    private volatile boolean hasFailed;
    private volatile boolean hasFailedForAnAccount;
    private volatile boolean isRejectedAfterAMatch;
    private volatile boolean isUnseenAsked;
    private volatile boolean isRejectedUnseen;
    private volatile boolean isOfAFault;
    private volatile boolean isUnanswered;
    private volatile boolean isBeforeAComparison;

    /**
     * A login without a comparison so far.
     *
     * @param password as presented; null if not known
     */
    public ComparedPassword(@Nullable CharSequence password) {
        this.password = password;
    }

    /**
     * A login whose comparisons are noted here.
     *
     * @param login of the request
     * @return with this part
     */
    public CurrentLogin within(CurrentLogin login) {
        return login.with(PART, this);
    }

    /**
     * Notes a comparison with the password of an account. Does nothing outside a limited login.
     *
     * @param login of the request
     * @param matches whether the password was right
     */
    public static void note(CurrentLogin login, boolean matches) {
        ComparedPassword compared = login.get(PART);
        if (compared != null && matches) {
            compared.hasMatched = true;
        } else if (compared != null) {
            compared.hasFailed = true;
            compared.hasFailedForAnAccount = true;
        }
    }

    /**
     * Notes a comparison for an unknown name, or for an account that cannot log in. Does nothing outside a limited login.
     *
     * @param login of the request
     */
    public static void noteStandIn(CurrentLogin login) {
        ComparedPassword compared = login.get(PART);
        if (compared != null) {
            compared.hasFailed = true;
        }
    }

    /**
     * Notes the answer of the plugins. Does nothing outside a limited login.
     *
     * @param login of the request
     * @param verdict on a name and a password
     */
    public static void note(CurrentLogin login, Verdict verdict) {
        if (!(verdict instanceof Rejected rejected)) {
            note(login, true);
        } else if (rejected.reason() == RejectionReason.BAD_CREDENTIALS) {
            note(login, false);
        } else {
            noteStandIn(login);
        }
    }

    /**
     * Notes that another manager decides now, and calls {@link #askingNext} for the providers before. Does nothing outside a
     * limited login.
     *
     * @param login of the request
     * @param isUnseen whether the manager first asks a provider whose comparisons may not be noted here, such as an LDAP bind
     */
    public static void asking(CurrentLogin login, boolean isUnseen) {
        askingNext(login);
        ComparedPassword compared = login.get(PART);
        if (compared != null) {
            compared.isUnseenAsked |= isUnseen;
        }
    }

    /**
     * Notes that a further manager or provider decides. After a match, the one before has rejected another secret, such as a
     * code. After an unseen provider without a noted comparison, this provider may have rejected the password. Does nothing
     * outside a limited login.
     *
     * @param login of the request
     */
    public static void askingNext(CurrentLogin login) {
        ComparedPassword compared = login.get(PART);
        if (compared != null) {
            compared.isRejectedAfterAMatch |= compared.hasMatched;
            compared.isRejectedUnseen |= compared.isUnseenAsked && !compared.hasMatched && !compared.hasFailed;
        }
    }

    /**
     * Whether the login was rejected before its end: the password was wrong for an account and right for no account, or another
     * secret was wrong. A rejection by an unseen provider counts as a wrong password. An outage afterwards does not undo this
     * guess.
     *
     * @return false also if nothing was compared
     */
    public boolean isWrong() {
        return isRejectedAfterAMatch || (!hasMatched && (hasFailedForAnAccount || isRejectedUnseen));
    }

    /**
     * As {@link #isWrong()}, for the login of the request.
     *
     * @param login of the request
     * @return false outside a limited or {@linkplain #watched watched} login
     */
    public static boolean isWrong(CurrentLogin login) {
        ComparedPassword compared = login.get(PART);
        return compared != null && compared.isWrong();
    }

    /**
     * A login with noted comparisons, for {@link #isWrong(CurrentLogin)}.
     *
     * @param login of the request
     * @return the same login if its comparisons are noted already; otherwise a login with a new part
     */
    public static CurrentLogin watched(CurrentLogin login) {
        return login.get(PART) == null ? new ComparedPassword(null).within(login) : login;
    }

    /**
     * Notes that no comparison has begun so far, or that one may begin now. Does nothing outside a limited login.
     *
     * @param login of the request
     * @param isBefore true only for a manager that is asked alone: another manager may have compared the password before
     */
    public static void beforeAComparison(CurrentLogin login, boolean isBefore) {
        ComparedPassword compared = login.get(PART);
        if (compared != null) {
            compared.isBeforeAComparison = isBefore;
        }
    }

    /**
     * The result of a login without an answer: the client has disconnected, or the manager has thrown an exception that is no answer.
     * Unless nothing was compared, the time or the exception may reveal whether the password is right.
     *
     * @return never a success
     */
    public AttemptResult resultWithoutAnAnswer() {
        return isBeforeAComparison ? AttemptResult.NOT_ATTEMPTED : AttemptResult.FAILED;
    }

    /**
     * Notes the failure of the login. A rejection for the state of the account or of the password depends on no further secret. A
     * manager without a suitable provider has given no answer.
     *
     * @param failure of the manager
     */
    public void failed(Throwable failure) {
        isOfAFault = failure instanceof AccountStatusException || failure instanceof CompromisedPasswordException;
        isUnanswered = failure instanceof ProviderNotFoundException;
    }

    /**
     * Notes the answer of the manager. A caller may read a missing answer as a rejection, or ask another manager, so the same
     * password again is no new guess.
     *
     * @param answer of the manager
     * @return whether the login has succeeded; a manager without an answer may have compared the password
     */
    public AttemptResult answered(@Nullable Authentication answer) {
        isUnanswered = answer == null;
        return answer != null && answer.isAuthenticated() ? AttemptResult.SUCCEEDED : AttemptResult.FAILED;
    }

    /**
     * The password for the limits. A repetition of this password is no new guess.
     *
     * @param result of the login
     * @return null if the password is not known, or does not explain the failure
     */
    public @Nullable CharSequence explaining(AttemptResult result) {
        boolean explains = isOfAFault || (!hasMatched && (hasFailed || isUnanswered || isRejectedUnseen));
        return result == AttemptResult.FAILED && !explains ? null : password;
    }
}
