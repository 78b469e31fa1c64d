package dev.latchkey.auth;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The credentials are right, and a step is wanted before the login is complete: a one-time code or a passkey, for example.
 *
 * <p>A {@link LoginStep} returns this value for a login that another plugin decided. A {@link LoginSource} that is a {@code LoginStep} as well may return
 * this value for credentials that it has checked. The response goes to the same plugin, as {@link ChallengeResponse}. Code without support for steps must
 * treat this value as a failed login.
 *
 * <p>Immutable. {@code toString} shows neither the login nor the state.
 */
public final class Challenged implements Verdict, StepResult {

    private final Authenticated soFar;
    private final String method;
    private final Map<String, Object> parameters;
    private final @Nullable Secret state;
    private final Progress progress;

    /** What the chain knows of the login: whose step is wanted, which steps are passed, and the listener for the response. */
    private record Progress(String plugin, Set<String> passed, Consumer<Boolean> listener) {
        static final Progress NONE = new Progress("", Set.of(), passed -> {});
    }

    private Challenged(
            Authenticated soFar,
            String method,
            Map<String, Object> parameters,
            @Nullable Secret state,
            Progress progress) {
        this.soFar = soFar;
        this.method = method;
        this.parameters = parameters;
        this.state = state;
        this.progress = progress;
    }

    /**
     * A step is wanted.
     *
     * @param soFar the login so far
     * @param method the proof that is wanted, named as in {@link Factors}, such as {@link Factors#ONE_TIME_CODE}
     * @return a challenge without parameters and without state
     * @throws IllegalArgumentException if {@code method} is not the name of a factor
     */
    public static Challenged by(Authenticated soFar, String method) {
        if (!Factors.isMethod(method)) {
            throw new IllegalArgumentException(
                    "A step's method has 1 to 32 letters, digits, dots, underscores and hyphens");
        }
        return new Challenged(Objects.requireNonNull(soFar, "soFar"), method, Map.of(), null, Progress.NONE);
    }

    /**
     * The same with a parameter for the client, such as a nonce or a prompt. The client sees every parameter.
     *
     * @param name of the parameter, at most 64 characters
     * @param value a string, a number, a boolean or a list of strings; at most 32 parameters with 2,048 characters in all
     * @return another challenge
     * @throws IllegalArgumentException if the name, type or size of the parameter is not allowed
     */
    public Challenged withParameter(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(parameters);
        more.put(name, value);
        return new Challenged(soFar, method, SubjectClaims.copyOf(more), state, progress);
    }

    /**
     * The same with state that the plugin needs to check the response. The client never sees the state.
     *
     * @param state comes back in {@link ChallengeResponse#challenge()}
     * @return another challenge
     */
    public Challenged withState(Secret state) {
        return new Challenged(soFar, method, parameters, Objects.requireNonNull(state, "state"), progress);
    }

    /**
     * The same as the chain hands it out. For the chain.
     *
     * @param login the login so far, complete but for the steps that are still wanted
     * @param plugin whose step is wanted
     * @param passed the plugins whose steps are passed
     * @return another challenge
     */
    public Challenged of(Authenticated login, String plugin, Set<String> passed) {
        return new Challenged(
                login, method, parameters, state, new Progress(plugin, Set.copyOf(passed), progress.listener));
    }

    /**
     * The same with one more listener for the end of this login. For login limits: a wrong response counts as a wrong password does.
     *
     * @param listener receives whether the response was right and the login is complete; called on the thread that checked the response, at most once for
     *     each response
     * @return another challenge
     */
    public Challenged whenAnswered(Consumer<? super Boolean> listener) {
        Consumer<Boolean> all = progress.listener.andThen(listener);
        return new Challenged(soFar, method, parameters, state, new Progress(progress.plugin, progress.passed, all));
    }

    /**
     * Tells the listeners how the login ended. For the chain.
     *
     * @param isComplete whether the response was right and no further step is wanted
     */
    public void answered(boolean isComplete) {
        progress.listener.accept(isComplete);
    }

    /**
     * The next challenge of the same login: its response is reported to the listeners of this one. For the chain.
     *
     * @param next what is wanted after this step
     * @return another challenge
     */
    public Challenged followedBy(Challenged next) {
        return new Challenged(
                next.soFar,
                next.method,
                next.parameters,
                next.state,
                new Progress(next.progress.plugin, next.progress.passed, progress.listener));
    }

    /**
     * The login so far, on which no caller may be let in.
     *
     * @return an incomplete login
     */
    public Authenticated soFar() {
        return soFar;
    }

    /**
     * The proof that is wanted.
     *
     * @return a name as in {@link Factors#methods()}
     */
    public String method() {
        return method;
    }

    /**
     * What the client needs for its response.
     *
     * @return unmodifiable; empty where the method says all
     */
    public Map<String, Object> parameters() {
        return parameters;
    }

    /**
     * What the plugin needs to check the response.
     *
     * @return empty where the plugin needs nothing
     */
    public Optional<Secret> state() {
        return Optional.ofNullable(state);
    }

    /**
     * The name of the plugin that wants the step and checks the response.
     *
     * @return empty until a chain has handed the challenge out
     */
    public String plugin() {
        return progress.plugin;
    }

    /**
     * The plugins whose steps this login has passed.
     *
     * @return unmodifiable
     */
    public Set<String> passed() {
        return progress.passed;
    }

    /**
     * The same without stamp, state and listeners. For events.
     *
     * @return another challenge, which nobody can answer
     */
    public Challenged withoutSecrets() {
        return new Challenged(
                soFar.withoutStamp(),
                method,
                parameters,
                null,
                new Progress(progress.plugin, progress.passed, Progress.NONE.listener));
    }

    @Override
    public String toString() {
        return "Challenged[method=" + method + ", plugin=" + progress.plugin + "]";
    }
}
