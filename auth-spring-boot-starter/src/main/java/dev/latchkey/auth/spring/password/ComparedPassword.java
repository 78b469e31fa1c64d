package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.spring.http.StepsAsked;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AccountStatusException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.ProviderNotFoundException;
import org.springframework.security.authentication.password.CompromisedPasswordException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;

/**
 * The password of a login, and the results of its comparisons. A repeated wrong password is one guess. But a provider of the service
 * may check a code too: then the same password with another code is a new guess. A failure counts as a wrong password only if a
 * comparison has failed and none has matched. A rejection for the state of the account or of the password counts too. So does a
 * missing answer of the manager, unless a comparison has matched.
 *
 * <p>Holds the password during the login only. Safe for use by any number of threads.
 */
public final class ComparedPassword {

    /** A provider or manager that notes each comparison here. */
    public interface Noting {}

    /** The place of code whose comparisons may not be noted here, such as an LDAP bind, among the providers of a manager. */
    public enum Unseen {
        /** Each comparison of the manager is noted. */
        NONE,
        /** Only behind Latchkey's provider. */
        LATER,
        /** Before Latchkey's provider, or in a manager without this provider. */
        FIRST
    }

    private static final CurrentLogin.Part<ComparedPassword> PART = new CurrentLogin.Part<>();

    /** What is known about the password. A later value says more than an earlier value. */
    private enum Known {
        /** No comparison so far. */
        NOTHING,
        /** Wrong for a stand-in: the name is unknown, or the account cannot log in. */
        REFUSED,
        /** Wrong for an account. */
        WRONG,
        /** Right, and the plugins want a step. */
        NOT_ENOUGH,
        /** Right. */
        RIGHT
    }

    /** The end of a login that was not accepted. */
    private enum End {
        /** The last manager or provider has rejected the login. */
        REJECTED,
        /** The state of the account or of the password has rejected the login, and no further secret. */
        FAULT,
        /** No manager or provider has answered. */
        UNANSWERED,
        /** An outage or an overload after a rejection. */
        CUT_SHORT
    }

    private final @Nullable CharSequence password;
    private volatile Known known = Known.NOTHING;
    private volatile Unseen unseen = Unseen.NONE;
    private volatile boolean isRejectedUnseen;
    private volatile boolean isRejectedAfterAMatch;
    private volatile boolean isBeforeAComparison = true;
    private volatile End end = End.REJECTED;

    /**
     * A login without a comparison so far.
     *
     * @param password as presented; null if not known
     */
    public ComparedPassword(@Nullable CharSequence password) {
        this.password = password;
    }

    /**
     * The same login. Its comparisons are noted in this object.
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
        if (compared != null) {
            compared.learn(matches ? Known.RIGHT : Known.WRONG);
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
            compared.learn(Known.REFUSED);
        }
    }

    /**
     * Notes the answer of the plugins. Does nothing outside a limited login.
     *
     * @param login of the request
     * @param verdict on a name and a password
     */
    public static void note(CurrentLogin login, Verdict verdict) {
        ComparedPassword compared = login.get(PART);
        if (compared != null) {
            compared.learn(knownBy(verdict));
        }
    }

    private static Known knownBy(Verdict verdict) {
        if (verdict instanceof Rejected rejected) {
            return rejected.reason() == RejectionReason.BAD_CREDENTIALS ? Known.WRONG : Known.REFUSED;
        }
        return verdict instanceof Challenged ? Known.NOT_ENOUGH : Known.RIGHT;
    }

    private synchronized void learn(Known next) {
        // The plugins may want a step after one of their managers has noted the right password.
        known = next == Known.NOT_ENOUGH || next.compareTo(known) > 0 ? next : known;
    }

    private boolean isRight() {
        return known.compareTo(Known.NOT_ENOUGH) >= 0;
    }

    /**
     * Notes that a manager decides now, and that the managers and providers before have rejected the login: another secret, such
     * as a code, after a match, unless the plugins only wanted a step. Unseen code without a noted comparison may have rejected the
     * password. Does nothing outside a limited login.
     *
     * @param login of the request
     * @param unseen the unseen code of the manager
     */
    public static void asking(CurrentLogin login, Unseen unseen) {
        ComparedPassword compared = login.get(PART);
        if (compared != null) {
            compared.next(compared.unseen != Unseen.NONE);
            compared.unseen = unseen.compareTo(compared.unseen) > 0 ? unseen : compared.unseen;
        }
    }

    /**
     * Notes that Latchkey's provider decides now, after the managers and providers before. Until {@link #decided}, the managers of
     * the plugins do not see the unseen code behind Latchkey's provider. Does nothing outside a limited login.
     *
     * @param login of the request
     * @return the unseen code of the manager, for {@link #decided}
     */
    public static Unseen askingPlugins(CurrentLogin login) {
        ComparedPassword compared = login.get(PART);
        if (compared == null) {
            return Unseen.NONE;
        }
        Unseen before = compared.unseen;
        compared.next(before == Unseen.FIRST);
        if (before == Unseen.LATER) {
            compared.unseen = Unseen.NONE;
        }
        return before;
    }

    private void next(boolean isUnseenBefore) {
        end = End.REJECTED;
        isRejectedAfterAMatch |= known == Known.RIGHT;
        isRejectedUnseen |= isUnseenBefore && known.compareTo(Known.WRONG) < 0;
    }

    /**
     * The unseen code that has decided so far.
     *
     * @param login of the request
     * @return for {@link #decided}
     */
    public static Unseen unseenIn(CurrentLogin login) {
        ComparedPassword compared = login.get(PART);
        return compared == null ? Unseen.NONE : compared.unseen;
    }

    /**
     * Notes that the plugins have decided, or that the managers of a plugin do not know the account. The unseen code of their
     * managers has then rejected nothing, or the rejection is noted. Does nothing outside a limited login.
     *
     * @param login of the request
     * @param before {@link #unseenIn} or {@link #askingPlugins} before the decision
     */
    public static void decided(CurrentLogin login, Unseen before) {
        ComparedPassword compared = login.get(PART);
        if (compared != null) {
            compared.unseen = before;
        }
    }

    /**
     * Notes an outage or an overload of a plugin.
     *
     * @param login of the request
     * @return whether the login was rejected before; false outside a limited or {@linkplain #watched watched} login
     */
    public static boolean cutShort(CurrentLogin login) {
        ComparedPassword compared = login.get(PART);
        if (compared == null || !compared.isWrong()) {
            return false;
        }
        compared.end = End.CUT_SHORT;
        return true;
    }

    /**
     * The password was wrong for an account and right for no account, or an unseen provider has rejected the password, or another
     * secret was wrong. An outage afterwards does not undo this guess.
     */
    private boolean isWrong() {
        return isRejectedAfterAMatch || known == Known.WRONG || (isRejectedUnseen && !isRight());
    }

    /**
     * A login with noted comparisons, for {@link #cutShort}.
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
     * manager without a suitable provider has given no answer. A wrong password counts, whatever fails afterwards. A right
     * password that is not enough does not count.
     *
     * @param failure of the manager
     * @param alone the result for this failure if nothing was compared before
     * @return {@link AttemptResult#FAILED} also for an outage after a wrong password
     */
    public AttemptResult failed(Throwable failure, AttemptResult alone) {
        boolean counts = StepsAsked.isNotEnough(failure) ? isRejectedAfterAMatch : isWrong();
        if (failure instanceof AccountStatusException || failure instanceof CompromisedPasswordException) {
            end = End.FAULT;
        } else if (failure instanceof ProviderNotFoundException) {
            end = End.UNANSWERED;
        } else if (counts && alone != AttemptResult.FAILED) {
            end = End.CUT_SHORT;
        } else if (failure instanceof AuthenticationException && !(failure instanceof AuthenticationServiceException)) {
            end = End.REJECTED;
        }
        return counts ? AttemptResult.FAILED : alone;
    }

    /**
     * Notes the answer of the manager. A caller may read a missing answer as a rejection, or ask another manager, so the same
     * password again is no new guess.
     *
     * @param answer of the manager
     * @return whether the login has succeeded; a manager without an answer may have compared the password
     */
    public AttemptResult answered(@Nullable Authentication answer) {
        if (answer == null) {
            end = End.UNANSWERED;
        }
        return answer != null && answer.isAuthenticated() ? AttemptResult.SUCCEEDED : AttemptResult.FAILED;
    }

    /**
     * The password for the limits. A repetition of this password is no new guess. After an unseen provider, a repeated password is
     * a new guess, because the provider may have checked a code. An outage behind the provider counts once per password: the owner
     * of an account behind the outage repeats a right password.
     *
     * @param result of the login
     * @return null if the password is not known, or does not explain the failure
     */
    public @Nullable CharSequence explaining(AttemptResult result) {
        boolean explains = switch (end) {
            case FAULT -> !isRejectedAfterAMatch && !isRejectedUnseen;
            case CUT_SHORT -> !isRight();
            case UNANSWERED -> !isRight() && !isRejectedUnseen;
            case REJECTED -> known != Known.NOTHING && !isRight() && !isRejectedUnseen;
        };
        return result == AttemptResult.FAILED && !explains ? null : password;
    }
}
