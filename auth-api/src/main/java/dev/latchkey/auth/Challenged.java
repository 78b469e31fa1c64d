package dev.latchkey.auth;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The credentials are right, and the login needs a further step: a one-time code or a passkey, for example.
 *
 * <p>A {@link LoginStep} returns this value for a login decided by another plugin. A {@link LoginSource} that is also a
 * {@code LoginStep} may return this value after its own check of the credentials. The response goes to the same plugin,
 * as {@link ChallengeResponse}. Code without support for steps must treat this value as a failed login.
 *
 * <p>Immutable. {@code toString} shows neither the login nor the state.
 */
public final class Challenged implements Verdict, StepResult {

    private final Authenticated soFar;
    private final String method;
    private final Map<String, Object> parameters;
    private final @Nullable Secret state;
    private final Progress progress;

    /** The chain's part of a challenge: the asking plugin, the passed steps, and the listener for the response. */
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
     * A step is necessary.
     *
     * @param soFar the incomplete login
     * @param method the required proof, named as in {@link Factors}, such as {@link Factors#ONE_TIME_CODE}
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
     * A copy with a parameter for the client, such as a nonce or a prompt. The client sees every parameter.
     *
     * @param name of the parameter, at most 64 characters
     * @param value a string, a number, a boolean or a list of strings; at most 32 parameters with 2,048 characters in
     *     all
     * @return another challenge
     * @throws IllegalArgumentException if the name, type or size of the parameter is not allowed
     */
    public Challenged withParameter(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(parameters);
        more.put(name, value);
        return new Challenged(soFar, method, SubjectClaims.copyOf(more), state, progress);
    }

    /**
     * A copy with state for the check of the response. The client never sees the state.
     *
     * @param state comes back in {@link ChallengeResponse#challenge()}
     * @return another challenge
     */
    public Challenged withState(Secret state) {
        return new Challenged(soFar, method, parameters, Objects.requireNonNull(state, "state"), progress);
    }

    /**
     * The challenge in the form of the chain. For the chain.
     *
     * @param login the login with all passed steps
     * @param plugin the asking plugin
     * @param passed the plugins of the passed steps
     * @return another challenge
     */
    public Challenged of(Authenticated login, String plugin, Set<String> passed) {
        return new Challenged(
                login, method, parameters, state, new Progress(plugin, Set.copyOf(passed), progress.listener));
    }

    /**
     * A copy with one more listener for the end of this login. For login limits: a wrong response counts like a wrong
     * password.
     *
     * @param listener receives {@code true} if the response was right and the login is complete. Runs on the thread of
     *     the check, at most once for each response
     * @return another challenge
     */
    public Challenged whenAnswered(Consumer<? super Boolean> listener) {
        Consumer<Boolean> all = progress.listener.andThen(listener);
        return new Challenged(soFar, method, parameters, state, new Progress(progress.plugin, progress.passed, all));
    }

    /**
     * Reports the end of the login to the listeners. For the chain.
     *
     * @param isComplete whether the response was right and no further step is necessary
     */
    public void answered(boolean isComplete) {
        progress.listener.accept(isComplete);
    }

    /**
     * The next challenge of the same login. The listeners of the present challenge receive its response. For the chain.
     *
     * @param next the challenge of the next step
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
     * The incomplete login. No caller may be let in with this login.
     *
     * @return an incomplete login
     */
    public Authenticated soFar() {
        return soFar;
    }

    /**
     * The required proof.
     *
     * @return a name as in {@link Factors#methods()}
     */
    public String method() {
        return method;
    }

    /**
     * The parameters for the client's response.
     *
     * @return unmodifiable; empty if the client needs only the method
     */
    public Map<String, Object> parameters() {
        return parameters;
    }

    /**
     * The plugin's state for the check of the response.
     *
     * @return empty if the plugin needs no state
     */
    public Optional<Secret> state() {
        return Optional.ofNullable(state);
    }

    /**
     * The name of the asking plugin, which also checks the response.
     *
     * @return empty before a chain has returned the challenge
     */
    public String plugin() {
        return progress.plugin;
    }

    /**
     * The plugins of the passed steps.
     *
     * @return unmodifiable
     */
    public Set<String> passed() {
        return progress.passed;
    }

    /**
     * A copy without stamp, state and listeners. For events.
     *
     * @return another challenge that cannot be answered
     */
    public Challenged withoutSecrets() {
        return new Challenged(
                soFar.withoutSecrets(),
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
