package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.fail;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The contract of {@link LoginStep}, as tests: extend this class and supply a plugin, two logins that want the step, and right responses.
 *
 * <p>The kit treats a challenge as a chain does: it seals the login, the plugin's name and a copy of the state.
 */
public abstract class LoginStepContract extends PluginContract<LoginStep>
        implements StepRules, StepResponseRules, StepDeviceRules {

    static final String RIGHT = "the right response";
    static final String WRONG = "a wrong response";

    private static final int MOST_RESPONSES = 8;

    /** For fixtures. */
    protected LoginStepContract() {}

    /**
     * A login that wants a step of every new plugin.
     *
     * @return the same subject at each call
     * @throws Exception if the fixture fails
     */
    protected abstract Authenticated login() throws Exception;

    /**
     * A login of another account that wants a step. What is right for {@link #login()} must be wrong for this login.
     *
     * @return the same subject at each call
     * @throws Exception if the fixture fails
     */
    protected abstract Authenticated otherLogin() throws Exception;

    /**
     * The right response to a challenge of either login.
     *
     * @param challenge as the plugin returned the challenge
     * @return what a caller would send, by name; new at each call where {@link #isRightOnce()}
     * @throws Exception if the fixture fails
     */
    protected abstract Map<String, Secret> rightResponse(Challenged challenge) throws Exception;

    /**
     * A well-formed response that is wrong.
     *
     * @param challenge as the plugin returned the challenge
     * @return the right response with another last character in each field, unless overridden
     * @throws Exception if the fixture fails
     */
    protected Map<String, Secret> wrongResponse(Challenged challenge) throws Exception {
        Map<String, Secret> wrong = new LinkedHashMap<>();
        rightResponse(challenge).forEach((name, secret) -> {
            String text = Variants.textOf(secret);
            String last = text.endsWith("1") ? "2" : "1";
            wrong.put(name, Secret.of(text.substring(0, Math.max(0, text.length() - 1)) + last));
        });
        return wrong;
    }

    /**
     * Whether a response is right once only, as a one-time code. A PIN is right in each login.
     *
     * @return {@code true} unless overridden
     */
    protected boolean isRightOnce() {
        return true;
    }

    /**
     * The fields of a response that are no secrets, so that a challenge may name their values: the id of a credential, for example.
     *
     * @return empty unless overridden
     */
    protected Set<String> publicFields() {
        return Set.of();
    }

    /**
     * Whether another spelling of a response is another response. Override this method where people type codes from paper, and the plugin ignores case and
     * blanks.
     *
     * @return {@code true} unless overridden
     */
    protected boolean responsesAreExact() {
        return true;
    }

    /**
     * The challenge for this login.
     *
     * @param plugin of {@link #newPlugin()} or {@link #backend()}
     * @param login one of the two
     * @return what {@link LoginStep#wanted} returns, unless overridden. Override this method where the plugin is a login source that challenges by itself
     * @throws Exception if the fixture fails
     */
    protected Challenged challenge(LoginStep plugin, Authenticated login) throws Exception {
        Optional<Challenged> wanted = plugin.wanted(login, RequestContext.none());
        return wanted.orElseGet(
                () -> fail("wanted nothing of the login of " + login.subject().id()));
    }

    /**
     * A login that wants no step, because its account has not enrolled.
     *
     * @return empty unless overridden
     * @throws Exception if the fixture fails
     */
    protected Optional<Authenticated> loginWithoutStep() throws Exception {
        return Optional.empty();
    }

    /**
     * A request that carries the token of a remembered device. Needed where the plugin remembers devices.
     *
     * @param token as {@link LoginStep#remember} returned the token, or damaged
     * @return empty unless overridden
     * @throws Exception if the fixture fails
     */
    protected Optional<RequestContext> requestFromDevice(Secret token) throws Exception {
        return Optional.empty();
    }

    @Override
    final List<Probe<LoginStep>> probes() {
        Probe<LoginStep> right = new Probe<>(
                RIGHT,
                step -> {
                    Challenged challenge = challenged(step, login());
                    return () -> answered(step, challenge, seen(rightResponse(challenge)));
                },
                Passed.class::isInstance,
                Passed.class::isInstance,
                isRightOnce() ? Probe.Use.ALONE : Probe.Use.ONCE_EACH,
                Probe.Store.NEEDED);
        Probe<LoginStep> wrong = new Probe<>(
                WRONG,
                step -> {
                    Challenged challenge = challenged(step, login());
                    return () -> step.answer(
                            new ChallengeResponse(challenge, seen(wrongResponse(challenge))), RequestContext.none());
                },
                answer -> !(answer instanceof Passed),
                Passed.class::isInstance,
                Probe.Use.ONCE_EACH,
                Probe.Store.NEEDED);
        return List.of(right, wrong);
    }

    /** The challenge as a chain hands it out. */
    final Challenged challenged(LoginStep step, Authenticated login) throws Exception {
        return challenged(step, challenge(step, login), login);
    }

    /** The same, for a login as the chain names its subject. */
    final Challenged challenged(LoginStep step, Challenged challenge, Authenticated login) {
        Challenged sealed = challenge.of(login, step.name(), Set.of());
        return challenge
                .state()
                .map(state -> sealed.withState(seen(state.withBytes(Secret::of))))
                .orElse(sealed);
    }

    /** The result once the plugin wants no further response. */
    final StepResult answered(LoginStep step, Challenged first, Map<String, Secret> fields) throws Exception {
        return answered(step, first, first.soFar(), fields);
    }

    /** The same, with responses for the login as the fixture names its subject. */
    final StepResult answered(LoginStep step, Challenged first, Authenticated login, Map<String, Secret> fields)
            throws Exception {
        Challenged challenge = first;
        StepResult result = step.answer(new ChallengeResponse(challenge, fields), RequestContext.none());
        for (int given = 1; given < MOST_RESPONSES && result instanceof Challenged next; given++) {
            challenge = next.of(first.soFar(), step.name(), Set.of());
            Map<String, Secret> more = seen(rightResponse(next.of(login, step.name(), Set.of())));
            result = step.answer(new ChallengeResponse(challenge, more), RequestContext.none());
        }
        return result;
    }
}
