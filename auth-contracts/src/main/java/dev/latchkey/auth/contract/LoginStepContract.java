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
 * Tests for the contract of {@link LoginStep}. Extend this class, and supply a plugin, two logins that need the step, and right
 * responses.
 *
 * <p>The kit treats a challenge as a chain does. The kit seals the login, the plugin's name and a copy of the state.
 */
public abstract class LoginStepContract extends PluginContract<LoginStep>
        implements StepRules, StepResponseRules, StepDeviceRules {

    static final String RIGHT = "the right response";
    static final String WRONG = "a wrong response";

    private static final int MOST_RESPONSES = 8;

    /** For fixtures. */
    protected LoginStepContract() {}

    /**
     * A login for which every new plugin wants a step.
     *
     * @return the same subject at each call
     * @throws Exception if the fixture fails
     */
    protected abstract Authenticated login() throws Exception;

    /**
     * A login of another account, for which every new plugin wants a step. A right response for {@link #login()} must be wrong
     * for this login.
     *
     * @return the same subject at each call
     * @throws Exception if the fixture fails
     */
    protected abstract Authenticated otherLogin() throws Exception;

    /**
     * The right response to a challenge of either login.
     *
     * @param challenge the challenge that the plugin returned
     * @return the fields that a caller would send, by name; a new response at each call if {@link #isRightOnce()}
     * @throws Exception if the fixture fails
     */
    protected abstract Map<String, Secret> rightResponse(Challenged challenge) throws Exception;

    /**
     * A well-formed response that is wrong.
     *
     * @param challenge the challenge that the plugin returned
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
     * Whether a response is right only once, such as a one-time code. A PIN is right in each login.
     *
     * @return {@code true} unless overridden
     */
    protected boolean isRightOnce() {
        return true;
    }

    /**
     * The fields of a response that are not secret, such as the id of a credential. A challenge may contain the values of these
     * fields.
     *
     * @return empty unless overridden
     */
    protected Set<String> publicFields() {
        return Set.of();
    }

    /**
     * Whether another spelling of a response counts as a different response. Override this method if the plugin ignores case and
     * blanks, because people type the codes from paper.
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
     * @param login one of the two logins of this fixture
     * @return the result of {@link LoginStep#wanted} unless overridden; override this method if the plugin is a login source that
     *     challenges by itself
     * @throws Exception if the fixture fails
     */
    protected Challenged challenge(LoginStep plugin, Authenticated login) throws Exception {
        Optional<Challenged> wanted = plugin.wanted(login, RequestContext.none());
        return wanted.orElseGet(
                () -> fail("wanted nothing of the login of " + login.subject().id()));
    }

    /**
     * A login that needs no step, because its account has not enrolled.
     *
     * @return empty unless overridden
     * @throws Exception if the fixture fails
     */
    protected Optional<Authenticated> loginWithoutStep() throws Exception {
        return Optional.empty();
    }

    /**
     * A request with the token of a remembered device. Override this method if the plugin remembers devices.
     *
     * @param token the token that {@link LoginStep#remember} returned, or a damaged copy
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
        Probe<LoginStep> device = new Probe<>(
                "knowsDevice, without a token",
                step -> {
                    Authenticated login = login();
                    return () -> step.knowsDevice(login, RequestContext.none());
                },
                Boolean.FALSE::equals,
                Boolean.TRUE::equals,
                Probe.Use.OFTEN,
                Probe.Store.MAYBE);
        return List.of(right, wrong, device);
    }

    /** The challenge in the form that a chain returns to the caller. */
    final Challenged challenged(LoginStep step, Authenticated login) throws Exception {
        return challenged(step, challenge(step, login), login);
    }

    /** A challenge of the step in the form of the chain, for a login with the chain's name of the subject. */
    final Challenged challenged(LoginStep step, Challenged challenge, Authenticated login) {
        Challenged sealed = challenge.of(login, step.name(), Set.of());
        return challenge
                .state()
                .map(state -> sealed.withState(seen(state.withBytes(Secret::of))))
                .orElse(sealed);
    }

    /** Responds until the plugin wants no further response, and returns the last result. */
    final StepResult answered(LoginStep step, Challenged first, Map<String, Secret> fields) throws Exception {
        return answered(step, first, first.soFar(), fields);
    }

    /** Responds as above. The responses are for a login with the fixture's name of the subject. */
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
