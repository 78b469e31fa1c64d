package dev.latchkey.auth.engine;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The request of a thread, and the login that the thread decides. Password encoders, user stores and authentication managers
 * get no argument for these values, so they read the values here. Only code with the {@link Part} object can read that part.
 *
 * <p>The Reactor context of a WebFlux request has this object under the key {@code CurrentLogin.class}. If your code asks an
 * {@link AuthChain} on another thread, pass the object on, so that login limits know the client IP:
 *
 * <pre>{@code
 * Mono.deferContextual(context -> {
 *     CurrentLogin request = context.<CurrentLogin>getOrEmpty(CurrentLogin.class).orElse(CurrentLogin.NONE);
 *     return Mono.fromFuture(
 *             CompletableFuture.supplyAsync(
 *                     () -> request.with(CurrentLogin.SUBSCRIBER, context).supply(() -> chain.authenticate(login)),
 *                     Schedulers.boundedElastic()::schedule),
 *             true);
 * })
 * }</pre>
 *
 * <p>The last argument keeps a client that leaves from interrupting the work: an interrupted store looks like an outage. In a
 * service with the starter, the bean {@code ReactiveWork} does all this.
 *
 * <p>Immutable. {@link #with} returns a new object, so an inner login cannot change the outer login. Safe for use by any number
 * of threads, if the values are.
 */
public final class CurrentLogin {

    /** The object without parts, for a thread without a request and without a login. */
    public static final CurrentLogin NONE = new CurrentLogin(null, null, null);

    /**
     * The Reactor context of a WebFlux request, a {@code ContextView}. A reactive store of accounts may read the tenant from this
     * context. The type is {@code Object}, because this module does not depend on Reactor.
     */
    public static final Part<Object> SUBSCRIBER = new Part<>();

    /** The only thread-local variable of a login. */
    private static final ThreadLocal<@Nullable CurrentLogin> HERE = new ThreadLocal<>();

    private final @Nullable Part<?> part;
    private final @Nullable Object value;
    private final @Nullable CurrentLogin rest;

    private CurrentLogin(@Nullable Part<?> part, @Nullable Object value, @Nullable CurrentLogin rest) {
        this.part = part;
        this.value = value;
        this.rest = rest;
    }

    /**
     * The key of a part. Two {@code Part} objects are never equal.
     *
     * @param <T> the type of the value
     */
    @SuppressWarnings("UnusedTypeParameter") // with() and get() need the type of the value.
    public static final class Part<T> {

        /** A new part, without a value in any {@code CurrentLogin}. */
        public Part() {}
    }

    /**
     * The request and the login of the calling thread.
     *
     * @return {@link #NONE} if nothing is bound
     */
    public static CurrentLogin here() {
        CurrentLogin bound = HERE.get();
        return bound == null ? NONE : bound;
    }

    /**
     * A copy with this value of a part, instead of a former value.
     *
     * @param <T> the type of the value
     * @param part the part
     * @param value of the part
     * @return another object; the present object is unchanged
     */
    public <T> CurrentLogin with(Part<T> part, T value) {
        return new CurrentLogin(Objects.requireNonNull(part), Objects.requireNonNull(value), this);
    }

    /**
     * A copy without a value of this part.
     *
     * @param removed the part
     * @return another object, or the same object if the part has no value
     */
    public CurrentLogin without(Part<?> removed) {
        if (rest == null || get(removed) == null) {
            return this;
        }
        CurrentLogin others = rest.without(removed);
        return part == removed ? others : new CurrentLogin(part, value, others);
    }

    /**
     * The value of a part.
     *
     * @param <T> the type of the value
     * @param wanted the part
     * @return null if the part has no value
     */
    @SuppressWarnings("unchecked") // with() pairs each part with a value of its type.
    public <T> @Nullable T get(Part<T> wanted) {
        for (CurrentLogin each = this; each != null; each = each.rest) {
            if (each.part == wanted) {
                return (T) each.value;
            }
        }
        return null;
    }

    /**
     * Binds this object to the calling thread. The caller binds the returned object again, in a {@code finally}.
     *
     * @return the previous object
     */
    public CurrentLogin bind() {
        CurrentLogin before = here();
        // set(null) instead of remove(): the thread's next request then needs no new entry object.
        HERE.set(rest == null ? null : this);
        return before;
    }

    /**
     * Does the work for this request and this login, on the calling thread.
     *
     * @param <T> the type of the work's result
     * @param work runs once, at once
     * @return the work's result
     * @throws Exception the work's exception
     */
    public <T extends @Nullable Object> T call(Callable<? extends T> work) throws Exception {
        CurrentLogin before = bind();
        try {
            return work.call();
        } finally {
            before.bind();
        }
    }

    /**
     * Does work without a checked exception for this request and this login, on the calling thread.
     *
     * @param <T> the type of the work's result
     * @param work runs once, at once
     * @return the work's result
     */
    public <T extends @Nullable Object> T supply(Supplier<? extends T> work) {
        CurrentLogin before = bind();
        try {
            return work.get();
        } finally {
            before.bind();
        }
    }
}
