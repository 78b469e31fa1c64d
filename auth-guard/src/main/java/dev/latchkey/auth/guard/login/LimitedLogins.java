package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
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

    /** Of this instance, since two services in one JVM may decide on one thread, one within the other. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Reservation> current = new ThreadLocal<>();

    private final LoginLimits limits;
    private final WaitingThreads waiting;
    private final Supplier<ClientSource> here;

    /**
     * Logins that these limits admit.
     *
     * @param limits shared by all ways to log in
     * @param waiting bounds how many threads wait until others' logins have ended
     * @param here where the request comes from that the calling thread works on
     */
    public LimitedLogins(LoginLimits limits, WaitingThreads waiting, Supplier<ClientSource> here) {
        this.limits = limits;
        this.waiting = waiting;
        this.here = here;
    }

    /**
     * As {@link #begin(String, CharSequence)}, where the password is not known yet.
     *
     * @param account as the caller wrote it
     * @return to be handed to {@link #end} by the same thread; null if the thread decides a login already, of which this is a part
     * @throws AuthUnavailableException if a limit refuses, or too many threads wait already
     */
    public @Nullable Reservation begin(String account) {
        return begin(account, null);
    }

    /**
     * Begins a login of this account, if the limits admit it. May wait for other logins of the same account or source.
     *
     * @param account as the caller wrote it
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
     * Adds the account that was found to the login that this thread decides. Does nothing where it decides none.
     *
     * <p>A cache of right passwords may answer this login only where the right one was shown before, by a login or with {@link #matched}. Elsewhere
     * the password has to be checked as if nothing were cached. Otherwise an attacker could keep busy whatever checks passwords, and try from as many
     * places as he has: the right password would be answered nevertheless, and all others would cost him nothing.
     *
     * @param storedHash of the account
     * @return whether a cache may answer; also true where this thread decides no login
     * @throws AuthUnavailableException as {@link #begin}: then no password may be compared
     */
    public boolean requireFound(String storedHash) {
        Reservation login = current.get();
        return login == null || await(login.found(storedHash)).mayRecall();
    }

    /**
     * As {@link #requireFound}, for whoever knows no stored hash and goes by the name that was sent. Asks no limit.
     *
     * @return whether a cache may answer; also true where this thread decides no login
     */
    public boolean mayRecall() {
        Reservation login = current.get();
        return login == null || login.mayRecall();
    }

    /**
     * Says that the password of the login that this thread decides was checked anew and is right, whatever else is wanted of the login. Does nothing
     * where this thread decides none.
     */
    public void matched() {
        Reservation login = current.get();
        if (login != null) {
            login.matched();
        }
    }

    /**
     * The result of a login that ended without a decision.
     *
     * @param end why there was none
     * @return {@code NOT_ATTEMPTED} for an outage, {@code OVERLOADED} for every other kind
     */
    public static AttemptResult resultOf(AuthUnavailableException end) {
        return end.kind() == AuthUnavailableException.Kind.OUTAGE
                ? AttemptResult.NOT_ATTEMPTED
                : AttemptResult.OVERLOADED;
    }

    /**
     * Ends what {@link #begin} began, and settles it with the limits. To be called by the same thread, in a {@code finally}.
     *
     * @param login that {@code begin} returned; not null
     * @param result of the login
     * @param password as in {@link Reservation#settle}
     */
    public void end(Reservation login, AttemptResult result, @Nullable CharSequence password) {
        // Not removed, which would cost the thread's next login an object: an entry without a value holds nothing.
        current.set(null);
        login.settle(result, password);
    }

    /** Decides about a login that names an account between {@link #begin} and {@link #end}: for an {@link dev.latchkey.auth.engine.AuthChain}. */
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

    /** The verdict. Where there is none, the login ends here. */
    private Verdict decided(Reservation login, @Nullable Secret password, Supplier<Verdict> decision) {
        try {
            return decision.get();
        } catch (Throwable e) {
            end(login, e instanceof AuthUnavailableException end ? resultOf(end) : AttemptResult.FAILED, password);
            throw e;
        }
    }

    /** Ends the login with the challenge, if the limits admit that. A step that may not be asked for is no overload: the password was right. */
    private Verdict asked(Reservation login, Challenged challenged) {
        Reservation admitted;
        try {
            admitted = await(login.challenged());
        } catch (Throwable e) {
            end(login, AttemptResult.NOT_ATTEMPTED, (CharSequence) null);
            throw e;
        }
        current.set(null);
        Consumer<Boolean> answered = admitted.settleChallenged();
        return challenged.whenAnswered(answered);
    }

    /** Decides a part of a login that is limited already. A right password is noted here even if the whole login wants more, so a cache may answer it. */
    private Verdict partOf(Supplier<Verdict> decision) {
        Verdict verdict = decision.get();
        if (verdict instanceof Authenticated) {
            matched();
        }
        return verdict;
    }

    /**
     * Decides on this thread a part of a login that another thread has begun and will settle. The part is not limited once more.
     *
     * @param <T> of the part's value
     * @param login that the other thread has begun
     * @param part runs on this thread, at once
     * @return the part's value
     */
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

    /** Whether the password is still there. A plugin may have wiped it; the login then counts as a guess that nobody made before. */
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
