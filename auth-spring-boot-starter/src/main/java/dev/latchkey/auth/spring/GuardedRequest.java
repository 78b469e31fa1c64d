package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.ClientSource;
import dev.latchkey.auth.guard.HashDemand;
import dev.latchkey.auth.guard.LoginAttempt;
import dev.latchkey.auth.guard.LoginGuard;
import dev.latchkey.auth.guard.LoginSession;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way past the guard, bound to the thread that it is on.
 *
 * <p>What needs a hash asks {@link #get}. Inside a filter that may be run again, that ends the pass with {@link HashingNeeded}:
 * the request gives its thread back, and asks the same question again when the answer is there. Elsewhere the thread waits for
 * the pool, which bounds both how many hashes there are and how long that takes.
 *
 * <p>Belongs to one thread at a time, as its request does; workers only see the futures.
 */
final class GuardedRequest {

    /** As much of a name as tells accounts apart: the rest of a longer one is not worth a digest. */
    private static final int MAX_ACCOUNT_CHARS = 320;

    private static final ThreadLocal<GuardedRequest> CURRENT = new ThreadLocal<>();

    private final LoginGuard guard;
    private final Supplier<ClientSource> source;
    private final Supplier<Set<String>> knownPlugins;
    private final KnownAnswers answers = new KnownAnswers();

    /** Says whether the pass may end here; null where it may not. */
    @Nullable
    private BooleanSupplier repeatable;

    @Nullable
    private String account;

    @Nullable
    private LoginSession session;

    @Nullable
    private AsyncPause pause;

    /** @param knownPlugins names of the plugins that hash through a {@link GuardedEncoder}, or not at all */
    GuardedRequest(LoginGuard guard, Supplier<ClientSource> source, Supplier<Set<String>> knownPlugins) {
        this.guard = guard;
        this.source = source;
        this.knownPlugins = knownPlugins;
    }

    /** The request that this thread is working on; null if it is on none, or on one that has to compute its hashes itself. */
    static @Nullable GuardedRequest current() {
        return CURRENT.get();
    }

    /** Makes it this thread's request; which one was before. */
    static @Nullable GuardedRequest bind(@Nullable GuardedRequest request) {
        GuardedRequest before = CURRENT.get();
        if (request == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(request);
        }
        return before;
    }

    /**
     * From here on hashes are spent on this account.
     *
     * @throws AuthUnavailableException if its login was refused in the pass before: before anybody looks it up a second time,
     *     since a flood of refused logins should not be two questions each to the store of users
     */
    static void loginOf(String account) {
        GuardedRequest request = CURRENT.get();
        if (request != null) {
            request.attempt(account);
        }
    }

    private void attempt(String name) {
        String bounded = name.length() > MAX_ACCOUNT_CHARS ? name.substring(0, MAX_ACCOUNT_CHARS) : name;
        if (!bounded.equals(account)) {
            close();
            account = bounded;
        }
        // Once: whoever goes on nevertheless begins another login.
        answers.refusalOf(bounded).ifPresent(this::awaitOrEnd);
    }

    /** Whether the caller is the work that the pool does. */
    boolean isHashing() {
        return guard.pool().runsHere();
    }

    /** Whether all these plugins need no guard of their own. */
    boolean knows(List<String> plugins) {
        return knownPlugins.get().containsAll(plugins);
    }

    /** Whether an earlier pass of this request got answers. */
    boolean isRepeated() {
        return !answers.isEmpty();
    }

    /** The answer that an earlier pass got, or the exception that it got instead. */
    <T> Optional<T> known(HashingKey key) {
        return answers.<T>to(key).map(this::awaitOrEnd);
    }

    /** Where it was refused that login is over, see {@link #refusedLate}: whoever goes on nevertheless begins another. */
    private <T> T awaitOrEnd(CompletableFuture<T> answer) {
        try {
            return await(answer);
        } catch (AuthUnavailableException e) {
            close();
            throw e;
        }
    }

    /**
     * Has the work begun; ends the pass, or waits.
     *
     * @throws AuthUnavailableException if a limit or the pool refuses
     */
    <T> T get(HashingKey key, Supplier<CompletableFuture<T>> work) {
        if (repeatable != null && repeatable.getAsBoolean()) {
            throw new HashingNeeded(key, () -> refusedLate(work.get()));
        }
        return await(work.get());
    }

    /** A refusal reaches the client late; the limits learn at once that the login is over. */
    private <T> CompletableFuture<T> refusedLate(CompletableFuture<T> answer) {
        LoginSession login = session;
        return guard.refusals().hold(answer, login == null ? () -> {} : login::close);
    }

    /** Has a password checked by the pool, when the limits admit it. */
    CompletableFuture<Boolean> check(long memoryBytes, Callable<Boolean> matches) {
        return submit(memoryBytes, matches, matched -> matched ? AttemptResult.SUCCEEDED : AttemptResult.FAILED);
    }

    /** Has a login decided by the pool, when the limits admit it, with this thread waiting. */
    <T> T await(long memoryBytes, Callable<T> login, Function<T, AttemptResult> resultOf) {
        return await(submit(memoryBytes, login, resultOf));
    }

    private <T> CompletableFuture<T> submit(long memoryBytes, Callable<T> check, Function<T, AttemptResult> resultOf) {
        if (account == null) {
            return compute(memoryBytes, check);
        }
        if (session == null) {
            session = guard.open(new LoginAttempt(account, source.get()));
        }
        return session.submit(memoryBytes, check, resultOf);
    }

    /** Has something hashed by the pool that is not a login. */
    <T> CompletableFuture<T> compute(long memoryBytes, Callable<T> hash) {
        return guard.pool().submit(HashDemand.ofMemory(memoryBytes), hash);
    }

    /** From here on, a hash ends the pass if this says so. */
    void enter(BooleanSupplier mayBeRepeated) {
        repeatable = mayBeRepeated;
    }

    /** From here on, whoever needs a hash waits for it. */
    void leave() {
        repeatable = null;
        if (pause == null) {
            close();
        }
    }

    /** The request will come again, with this answer. */
    void pause(AsyncPause at, HashingKey key, CompletableFuture<?> answer) {
        pause = at;
        keep(key, answer);
    }

    /** The next pass will have this answer. */
    void keep(HashingKey key, CompletableFuture<?> answer) {
        answers.keep(key, account, answer);
    }

    boolean isPaused() {
        return pause != null;
    }

    /** Where the pass ended, if it was in this filter; from then on it is no longer paused. */
    @Nullable
    AsyncPause resume(GuardedFilter in) {
        AsyncPause last = pause;
        if (last == null || !last.isIn(in)) {
            return null;
        }
        pause = null;
        return last;
    }

    /** Nothing more will come: the limits learn how the login ended. */
    void close() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            answer.cancel(false);
            Thread.currentThread().interrupt();
            throw AuthUnavailableException.outage("Interrupted while waiting for a hash", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() instanceof CompletionException wrapped ? wrapped.getCause() : e.getCause();
            if (cause instanceof RuntimeException failure) {
                throw failure;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("An encoder threw an exception that it cannot declare", cause);
        }
    }
}
