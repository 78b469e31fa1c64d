package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.engine.LoginGate;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies {@link LoginLimits} to code that decides a login on the calling thread.
 *
 * <p>The decision runs between {@link #begin} and {@link #end}. All code in between on this thread belongs to the same
 * attempt. Examples are the parent of an authentication manager, and a manager that a plugin asks.
 *
 * <pre>{@code
 * Reservation login = gate.begin(name, password);
 * if (login == null) {
 *     return decide();
 * }
 * AttemptResult result = AttemptResult.FAILED;
 * try {
 *     Answer answer = decide();
 *     result = resultOf(answer);
 *     return answer;
 * } finally {
 *     gate.end(login, result, password);
 * }
 * }</pre>
 *
 * <p>Safe for use by any number of threads, platform or virtual.
 */
public final class LoginLimitGate implements LoginGate {

    /** Not static: one thread may decide a login of one service within a login of another service in the same JVM. */
    private final CurrentLogin.Part<Reservation> admitted = new CurrentLogin.Part<>();

    private final LoginLimits limits;
    private final WaitingThreads waiting;
    private final Supplier<ClientSource> clients;

    /**
     * Creates the gate for these limits.
     *
     * @param limits shared by all ways to log in
     * @param waiting limits the number of threads that wait for other logins
     * @param clients the source of the calling thread's request
     */
    public LoginLimitGate(LoginLimits limits, WaitingThreads waiting, Supplier<ClientSource> clients) {
        this.limits = limits;
        this.waiting = waiting;
        this.clients = clients;
    }

    /**
     * Starts a login of this account, if the limits admit the login. May wait for other logins of the same account or
     * source.
     *
     * @param account as presented
     * @param password as in {@link LoginLimits#reserve}
     * @return pass the reservation to {@link #end} on the same thread; null within another login of this thread
     * @throws AuthUnavailableException if a limit rejects the login, too many threads wait already, or the thread is
     *     interrupted during the wait
     */
    public @Nullable Reservation begin(String account, @Nullable CharSequence password) {
        return begin(account, account, password);
    }

    private @Nullable Reservation begin(String account, String exact, @Nullable CharSequence password) {
        if (current() != null) {
            return null;
        }
        ClientSource source = clients.get();
        Reservation known = limits.reserveKnown(exact, source);
        Reservation login =
                known == null ? await(limits.reserve(new LoginAttempt(account, source, exact), password)) : known;
        CurrentLogin unused = CurrentLogin.here().with(admitted, login).bind();
        return login;
    }

    private @Nullable Reservation current() {
        return CurrentLogin.here().get(admitted);
    }

    private void leave() {
        CurrentLogin unused = CurrentLogin.here().without(admitted).bind();
    }

    /**
     * Adds the found account to this thread's login. Does nothing outside a login.
     *
     * <p>A cache of right passwords may answer only if this client has shown the right password before, in a login or
     * with {@link #matched}. For other clients the password must be checked without the cache. Otherwise an attacker
     * could overload the password checks and try guesses from many clients. Only the right password would get an
     * answer, and all wrong guesses would be free.
     *
     * @param storedHash of the account
     * @return whether a cache may answer; also true outside a login
     * @throws AuthUnavailableException as {@link #begin}. Do not compare a password after this exception
     */
    public boolean requireFound(String storedHash) {
        Reservation login = current();
        return login == null || await(login.found(storedHash)).mayRecall();
    }

    /**
     * Like {@link #requireFound}, for code without a stored hash: for the account found last, or for the presented
     * name. Asks no limit.
     *
     * @return whether a cache may answer; also true outside a login
     */
    public boolean mayRecall() {
        Reservation login = current();
        return login == null || login.mayRecall();
    }

    /**
     * Whether this thread's login leaves room for other logins: {@link Reservation#leavesRoom}.
     *
     * @return false outside a login
     */
    public boolean leavesRoom() {
        Reservation login = current();
        return login != null && login.leavesRoom();
    }

    /**
     * Reports that the password of this thread's login was checked without the cache and is right, even if the login
     * needs more steps. Does nothing outside a login.
     */
    public void matched() {
        Reservation login = current();
        if (login != null) {
            login.matched();
        }
    }

    /**
     * See {@link LoginLimits#replaced}.
     *
     * @param before the stored hash until now
     * @param after a new hash of the same password
     */
    public void replaced(String before, String after) {
        limits.replaced(before, after);
    }

    /**
     * The result of a login without a decision.
     *
     * @param end the reason
     * @return {@code FAILED} after a rejection, {@code NOT_ATTEMPTED} for any other outage, {@code OVERLOADED} for every other kind
     */
    public static AttemptResult resultOf(AuthUnavailableException end) {
        if (end.isAfterRejection()) {
            return AttemptResult.FAILED;
        }
        return end.kind() == AuthUnavailableException.Kind.OUTAGE
                ? AttemptResult.NOT_ATTEMPTED
                : AttemptResult.OVERLOADED;
    }

    /**
     * Ends a login from {@link #begin} and settles the reservation. Call this method on the same thread, in a
     * {@code finally}.
     *
     * @param login from {@code begin}; not null
     * @param result of the login
     * @param password as in {@link Reservation#settle}
     */
    public void end(Reservation login, AttemptResult result, @Nullable CharSequence password) {
        leave();
        login.settle(result, password);
    }

    /**
     * Decides a login between {@link #begin} and {@link #end}, for an {@link dev.latchkey.auth.engine.AuthChain}.
     * Without an account name, only a login with a password is limited.
     */
    @Override
    public Verdict decide(Credentials credentials, String account, Supplier<Verdict> decision) {
        return decideThen(credentials, account, decision, login -> {});
    }

    /**
     * {@inheritDoc}
     *
     * <p>The action does nothing in a request of another client: a proof by that client says nothing about the client
     * of this login.
     */
    @Override
    public Verdict decide(
            Credentials credentials, String account, Supplier<Verdict> decision, Consumer<Runnable> whenAdded) {
        ClientSource client = clients.get();
        return decideThen(credentials, account, decision, login -> whenAdded.accept(() -> stepAdded(login, client)));
    }

    private void stepAdded(Reservation login, ClientSource client) {
        if (clients.get().equals(client)) {
            login.stepAdded();
        }
    }

    private Verdict decideThen(
            Credentials credentials, String account, Supplier<Verdict> decision, Consumer<Reservation> succeeded) {
        if (account.isEmpty() && !(credentials instanceof PasswordCredentials)) {
            return decision.get();
        }
        Secret password = credentials instanceof PasswordCredentials given ? given.password() : null;
        Reservation login = password == null
                ? begin(account, credentials.getClass().getName() + " " + account, null)
                : beginWith(account, password);
        if (login == null) {
            return partOf(decision);
        }
        Verdict verdict = decided(login, password, decision);
        if (verdict instanceof Challenged challenged) {
            return asked(login, challenged);
        }
        if (!(verdict instanceof Authenticated)) {
            end(login, AttemptResult.FAILED, password);
            return verdict;
        }
        try {
            succeeded.accept(login);
        } finally {
            end(login, AttemptResult.SUCCEEDED, password);
        }
        return verdict;
    }

    /** The verdict. If the decision throws an exception, the login ends here. */
    private Verdict decided(Reservation login, @Nullable Secret password, Supplier<Verdict> decision) {
        try {
            return decision.get();
        } catch (Throwable e) {
            end(login, e instanceof AuthUnavailableException end ? resultOf(end) : AttemptResult.FAILED, password);
            throw e;
        }
    }

    /**
     * Ends the login with the challenge, if the limits admit the challenge. A rejected step is not an overload: the
     * password was right.
     */
    private Verdict asked(Reservation login, Challenged challenged) {
        Reservation replacement;
        try {
            replacement = await(login.challenged());
        } catch (Throwable e) {
            end(login, AttemptResult.NOT_ATTEMPTED, (CharSequence) null);
            throw e;
        }
        leave();
        return challenged.whenAnswered(replacement.settleChallenged());
    }

    /**
     * Decides a part of a login that has passed the limits. Notes a right password even if the login needs more steps,
     * so that a cache may answer later.
     */
    private Verdict partOf(Supplier<Verdict> decision) {
        Verdict verdict = decision.get();
        if (verdict instanceof Authenticated) {
            matched();
        }
        return verdict;
    }

    /**
     * Decides a part of a login on this thread. Another thread has started the login and will settle it. The part does
     * not pass the limits again.
     *
     * @param <T> the type of the part's value
     * @param login started by the other thread
     * @param part runs on this thread, at once
     * @return the part's value
     */
    public <T> T within(Reservation login, Supplier<T> part) {
        return CurrentLogin.here().with(admitted, login).supply(part);
    }

    private @Nullable Reservation beginWith(String account, Secret password) {
        return isThere(password)
                ? password.withText(text -> Optional.ofNullable(begin(account, text)))
                        .orElse(null)
                : begin(account, null);
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

    /** Whether the password is still available. If a plugin has wiped the password, the login counts as a new guess. */
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
