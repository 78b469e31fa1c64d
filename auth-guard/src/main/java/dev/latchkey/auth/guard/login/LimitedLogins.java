package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginGate;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@link LoginLimits} around the code that decides a login on the calling thread.
 *
 * <p>The decision stands between {@link #begin} and {@link #end}. Whatever runs in between on this thread belongs to the same attempt, such as a manager
 * that asks its parent, or a plugin that asks a manager.
 *
 * <pre>{@code
 * Reservation login = logins.begin(name, password);
 * if (login == null) {
 *     return decide();
 * }
 * AttemptResult result = AttemptResult.FAILED;
 * try {
 *     Answer answer = decide();
 *     result = resultOf(answer);
 *     return answer;
 * } finally {
 *     logins.end(login, result, password);
 * }
 * }</pre>
 *
 * <p>Safe for use by any number of threads, platform or virtual.
 */
public final class LimitedLogins implements LoginGate {

    /** Of this instance: two services in one JVM may decide on one thread, one within the other. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Reservation> current = new ThreadLocal<>();

    private final LoginLimits limits;
    private final WaitingThreads waiting;
    private final Supplier<ClientSource> here;

    /**
     * @param waiting bounds how many threads wait until others' logins have ended
     * @param here where the request comes from that the calling thread works on
     */
    public LimitedLogins(LoginLimits limits, WaitingThreads waiting, Supplier<ClientSource> here) {
        this.limits = limits;
        this.waiting = waiting;
        this.here = here;
    }

    /** The same as {@link #begin(String, CharSequence)}, where the password is not known yet. */
    public @Nullable Reservation begin(String account) {
        return begin(account, null);
    }

    /**
     * Begins a login of this account, if the limits admit it.
     *
     * @param password as in {@link LoginLimits#reserve(LoginAttempt, CharSequence)}
     * @return to be handed to {@link #end} by the same thread; null if the thread decides a login already, of which this is a part
     * @throws AuthUnavailableException if a limit refuses, or too many threads wait already
     */
    public @Nullable Reservation begin(String account, @Nullable CharSequence password) {
        if (current.get() != null) {
            return null;
        }
        ClientSource source = here.get();
        Reservation known = limits.reserveKnown(account, source);
        Reservation admitted =
                known == null ? await(limits.reserve(new LoginAttempt(account, source), password)) : known;
        current.set(admitted);
        return admitted;
    }

    /**
     * Adds the account that was found to the login that this thread decides; nothing where it decides none.
     *
     * <p>What is remembered of right passwords may answer this login only where the right one was shown before, by a login or with {@link
     * #matched}. Elsewhere it has to be checked as if nothing were remembered: whoever keeps what checks passwords busy would else tell the
     * right one by the answer that it gets nevertheless, from as many places as he has, and pay for none of the others.
     *
     * @param storedHash of the account
     * @return whether what is remembered may answer; also where this thread decides no login
     * @throws AuthUnavailableException as {@link #begin}: then no password may be compared
     */
    public boolean requireFound(String storedHash) {
        Reservation login = current.get();
        return login == null || await(login.found(storedHash)).mayRecall();
    }

    /** The same for what knows no stored hash, and goes by the name that was sent. */
    public boolean mayRecall() {
        Reservation login = current.get();
        return login == null || login.mayRecall();
    }

    /** Says that the password of the login that this thread decides was checked anew and is right, whatever else is wanted of it. */
    public void matched() {
        Reservation login = current.get();
        if (login != null) {
            login.matched();
        }
    }

    /** What became of a login that ended so: nobody knows whether the password was right. */
    public static AttemptResult resultOf(AuthUnavailableException end) {
        return end.kind() == AuthUnavailableException.Kind.OUTAGE
                ? AttemptResult.NOT_ATTEMPTED
                : AttemptResult.OVERLOADED;
    }

    /** Ends what {@link #begin} began, and settles it with the limits. */
    public void end(Reservation login, AttemptResult result, @Nullable CharSequence password) {
        // Not removed, which would cost the thread's next login an object: an entry without a value holds nothing.
        current.set(null);
        login.settle(result, password);
    }

    /** Decides about a login that names an account between {@link #begin} and {@link #end}: for an {@link dev.latchkey.auth.AuthChain}. */
    @Override
    public Verdict decide(Credentials credentials, String account, Supplier<Verdict> decision) {
        return decideThen(credentials, account, decision, login -> {});
    }

    /**
     * {@inheritDoc}
     *
     * <p>From another place it does nothing: what was shown there proves nothing of the place that this login came from.
     */
    @Override
    public Verdict decide(
            Credentials credentials, String account, Supplier<Verdict> decision, Consumer<Runnable> whenAdded) {
        ClientSource place = here.get();
        return decideThen(credentials, account, decision, login -> whenAdded.accept(() -> stepAdded(login, place)));
    }

    private void stepAdded(Reservation login, ClientSource place) {
        if (here.get().equals(place)) {
            login.stepAdded();
        }
    }

    private Verdict decideThen(
            Credentials credentials, String account, Supplier<Verdict> decision, Consumer<Reservation> succeeded) {
        if (account.isEmpty() && !(credentials instanceof PasswordCredentials)) {
            return decision.get();
        }
        Secret password = credentials instanceof PasswordCredentials given ? given.password() : null;
        Reservation login = password == null ? begin(account) : beginWith(account, password);
        if (login == null) {
            return partOf(decision);
        }
        AttemptResult result = AttemptResult.FAILED;
        try {
            Verdict verdict = decision.get();
            if (verdict instanceof Challenged challenged) {
                // A step that may not be asked for is no overload: the password was right.
                result = AttemptResult.NOT_ATTEMPTED;
                Reservation asked = await(login.challenged());
                result = AttemptResult.CHALLENGED;
                Consumer<Boolean> answered = asked.settleChallenged();
                return challenged.whenAnswered(response -> answered.accept(response instanceof Authenticated));
            }
            if (verdict instanceof Authenticated) {
                result = AttemptResult.SUCCEEDED;
                succeeded.accept(login);
            }
            return verdict;
        } catch (AuthUnavailableException e) {
            result = result == AttemptResult.FAILED ? resultOf(e) : result;
            throw e;
        } finally {
            if (result == AttemptResult.CHALLENGED) {
                current.set(null);
            } else {
                end(login, result, password);
            }
        }
    }

    /** Of a login that is limited already: what is remembered may answer its password here, though the whole may want more than that. */
    private Verdict partOf(Supplier<Verdict> decision) {
        Verdict verdict = decision.get();
        if (verdict instanceof Authenticated) {
            matched();
        }
        return verdict;
    }

    /** Decides on this thread what another one has begun and will settle: a part of that login, which is not limited once more. */
    public <T> T within(Reservation login, Supplier<T> part) {
        Reservation before = current.get();
        current.set(login);
        try {
            return part.get();
        } finally {
            current.set(before);
        }
    }

    private @Nullable Reservation beginWith(String account, Secret password) {
        return isThere(password)
                ? password.withText(text -> Optional.ofNullable(begin(account, text)))
                        .orElse(null)
                : begin(account);
    }

    private void end(Reservation login, AttemptResult result, @Nullable Secret password) {
        boolean isGuess = result == AttemptResult.FAILED || result == AttemptResult.OVERLOADED;
        if (isGuess && password != null && isThere(password)) {
            password.withText(text -> {
                end(login, result, text);
                return result;
            });
        } else {
            end(login, result, (CharSequence) null);
        }
    }

    /** A plugin may have wiped it; it is then a wrong password like no other. */
    private static boolean isThere(Secret password) {
        try {
            return password.withBytes(bytes -> true);
        } catch (IllegalStateException wiped) {
            return false;
        }
    }

    private Reservation await(CompletableFuture<Admission> admission) {
        return waiting.await(admission).orThrow();
    }
}
