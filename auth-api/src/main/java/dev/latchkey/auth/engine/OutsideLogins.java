package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.LoginPipeline.Devices;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Logins decided outside of an {@link AuthChain}, by Spring Security's own providers or an OpenID provider, for example. The
 * chain still decides about necessary steps and forbidden names. Immutable, and safe for use by any number of threads.
 */
public final class OutsideLogins {

    private final AuthChain chain;

    OutsideLogins(AuthChain chain) {
        this.chain = chain;
    }

    /**
     * Whether the calling thread decides a login of the chain. A manager inside a plugin decides a part of this login: the chain
     * asks for steps after the plugin's decision.
     *
     * @return {@code false} on every thread outside of this chain's plugins
     */
    public boolean isWithinChain() {
        return CurrentLogin.here().get(chain.deciding) != null;
    }

    /**
     * Whether any plugin may need a step after the password.
     *
     * @return {@code false} if the right password completes every login
     */
    public boolean mayNeedSteps() {
        return !chain.roles.steps().isEmpty();
    }

    /**
     * Whether an id has the form of another source's subject, such as {@code directory:alice}. The login must then be rejected:
     * the account would be taken for this subject.
     *
     * @param id of the login
     * @return {@code true} if the login must be rejected
     */
    public boolean isForeignName(String id) {
        return chain.completion.names().hasSourcePrefix(id);
    }

    /**
     * The id of a subject from a source outside the plugins: {@code source:id}, or the id alone if the service shares the
     * subjects of this source.
     *
     * @param source name of the source
     * @param id of the account at the source
     * @return empty if the id is not a valid subject id, or is the name of another source's subject
     */
    public Optional<String> nameOf(String source, String id) {
        return chain.completion.names().ofOutside(source, id);
    }

    /**
     * The necessary steps of a login by a password. The login is complete after all steps.
     *
     * @param login the decided login; the plugins know the id of its subject
     * @param context of the request with the password
     * @return empty if no plugin needs a step
     * @throws AuthUnavailableException if a plugin could not decide; the login fails then
     * @throws AuthPluginException if a plugin broke its contract
     */
    public List<Challenged> wantedSteps(Authenticated login, RequestContext context) {
        return stepsOf(
                login.withFactors(login.factors()
                        .and(Set.of(Factors.PASSWORD), chain.completion.clock().instant())),
                context);
    }

    private List<Challenged> stepsOf(Authenticated soFar, RequestContext context) {
        Objects.requireNonNull(context, "context");
        long start = System.nanoTime();
        List<Challenged> wanted = new ArrayList<>();
        for (LoginStep step : chain.roles.steps()) {
            try {
                Challenged challenge = chain.calls.wantedStep(step, soFar, context, Devices.COUNT);
                if (challenge != null) {
                    wanted.add(challenge.of(soFar, step.name(), Set.of()));
                }
            } catch (AuthUnavailableException | AuthPluginException | Error e) {
                chain.listeners.stepUndecided(step.name(), soFar.subject().id(), e, start);
                throw e;
            }
        }
        return List.copyOf(wanted);
    }

    /**
     * Asks for the missing steps of a login by an OpenID provider, a magic link, or the service itself.
     *
     * @param login the decided login; the service knows the id of its subject
     * @param proved methods already proved by the login; steps by these methods are not asked
     * @param context of the request of the login
     * @return the login if no step is missing, otherwise the first challenge. {@link AuthChain#authenticate} takes the response
     * @throws AuthUnavailableException if a plugin could not decide, or a step is missing and the gate rejects; the login fails
     *     then
     * @throws AuthPluginException if a plugin broke its contract
     */
    public Verdict complete(Authenticated login, Set<String> proved, RequestContext context) {
        Set<String> passed = new HashSet<>();
        Challenged first = null;
        for (Challenged wanted : stepsOf(login, context)) {
            if (proved.contains(wanted.method())) {
                passed.add(wanted.plugin());
            } else if (first == null) {
                first = wanted;
            }
        }
        if (first == null) {
            return login;
        }
        Challenged challenge = first.of(login, first.plugin(), passed);
        // The gate counts wrong responses, as after a password.
        return chain.gated(chain.gate, new DecidedElsewhere(login.subject().id()), () -> challenge);
    }

    private record DecidedElsewhere(String id) implements Credentials {
        @Override
        public Optional<String> account() {
            return Optional.of(id);
        }
    }
}
