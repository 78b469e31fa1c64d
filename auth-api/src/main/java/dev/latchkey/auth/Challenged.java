package dev.latchkey.auth;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The credentials are right, and another step is wanted before they let anybody in: a one-time code, say.
 *
 * <p>A plugin returns this for credentials that it has checked itself, or asks for a step after another plugin's decision ({@link
 * AuthPlugin#secondStep}). The response goes to the same plugin, as {@link ChallengeResponse}. Code that does not support second steps must treat it as
 * a failed login.
 *
 * <p>Immutable. Prints nothing of what it holds.
 */
public final class Challenged implements Verdict {

    private final Authenticated soFar;
    private final String method;
    private final String plugin;
    private final @Nullable Secret state;
    private final Consumer<Verdict> told;

    private Challenged(
            Authenticated soFar, String method, String plugin, @Nullable Secret state, Consumer<Verdict> told) {
        this.soFar = soFar;
        this.method = method;
        this.plugin = plugin;
        this.state = state;
        this.told = told;
    }

    /**
     * Another step is wanted.
     *
     * @param soFar the decision so far, which becomes the result once the step is passed
     * @param method the step, named as in {@link Factors}, such as {@link Factors#ONE_TIME_CODE}
     * @return a challenge without state, of no plugin yet
     * @throws IllegalArgumentException if that is no such name
     */
    public static Challenged by(Authenticated soFar, String method) {
        if (!Factors.isMethod(method)) {
            throw new IllegalArgumentException(
                    "A step's method has 1 to 32 letters, digits, dots, underscores and hyphens");
        }
        return new Challenged(Objects.requireNonNull(soFar, "soFar"), method, "", null, Challenged::nobodyIsTold);
    }

    /**
     * The same, with what the plugin needs to check the response, such as the state of a RADIUS server.
     *
     * @param state what the plugin wants to see again with the response
     * @return another challenge; this one stays as it is
     */
    public Challenged withState(Secret state) {
        return new Challenged(soFar, method, plugin, Objects.requireNonNull(state, "state"), told);
    }

    /**
     * The same, with one more listener, which receives the verdict about the response. For a {@link LoginGate}.
     *
     * @param listener hears of each response, after those that were to be told before, on the thread that checked it
     * @return another challenge; this one stays as it is
     */
    public Challenged whenAnswered(Consumer<? super Verdict> listener) {
        Consumer<Verdict> first = told;
        return new Challenged(soFar, method, plugin, state, first.andThen(listener));
    }

    /**
     * The decision so far, which is no success yet.
     *
     * @return a verdict on which nobody may be let in
     */
    public Authenticated soFar() {
        return soFar;
    }

    /**
     * The step that is wanted, named as in {@link Factors}.
     *
     * @return a name as {@link Factors#methods()} has them
     */
    public String method() {
        return method;
    }

    /**
     * The name of the plugin that wants it and checks the response; {@link AuthChain} writes it.
     *
     * @return empty until a chain has seen the challenge
     */
    public String plugin() {
        return plugin;
    }

    /**
     * What the plugin needs to check the response.
     *
     * @return empty where the plugin needs none
     */
    public Optional<Secret> state() {
        return Optional.ofNullable(state);
    }

    Challenged of(Authenticated login, String askedBy) {
        return new Challenged(login, method, askedBy, state, told);
    }

    /** The next step of the same login, which its plugin wants now that this one is passed. */
    Challenged followedBy(Challenged next) {
        return new Challenged(withThisFactor(), next.method, plugin, next.state, told);
    }

    private static void nobodyIsTold(Verdict verdict) {}

    /** Tells who wants to know what came of it. */
    <V extends Verdict> V answered(V verdict) {
        told.accept(verdict);
        return verdict;
    }

    /** What was decided so far, proved in this way too. */
    Authenticated withThisFactor() {
        return soFar.withFactors(soFar.factors().and(method));
    }

    /** For listeners: neither the stamp nor the state, and nothing that they could bring about. */
    Challenged withoutSecrets() {
        return new Challenged(soFar.withoutStamp(), method, plugin, null, Challenged::nobodyIsTold);
    }

    @Override
    public String toString() {
        return "Challenged[method=" + method + ", plugin=" + plugin + "]";
    }
}
