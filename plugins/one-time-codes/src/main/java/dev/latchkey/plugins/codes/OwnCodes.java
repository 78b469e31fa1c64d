package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What users do with their own codes, for a service's endpoints.
 *
 * <p>A session is not enough: who has stolen one would enrol a device of his own, lock the owner out, or take the step away. So the password is
 * asked for once more, and a code where the account has enrolled. Both are checked by the chain, as a login, and therefore behind the
 * login limits: there is no guessing here either.
 *
 * <p>Blocks. Safe for use by any number of threads.
 */
public final class OwnCodes {

    private final AuthChain chain;
    private final OneTimeCodes codes;
    private final BegunEnrolments begun = new BegunEnrolments();

    /**
     * @param chain has the {@link OneTimeCodesPlugin} of these codes
     * @param codes the same that the plugin checks by
     */
    public OwnCodes(AuthChain chain, OneTimeCodes codes) {
        this.chain = Objects.requireNonNull(chain, "chain");
        this.codes = Objects.requireNonNull(codes, "codes");
    }

    /**
     * Begins to enrol, or to enrol another device.
     *
     * @param account who asks: the subject's id
     * @param login the password of that account
     * @param responses to the steps of the account, by field: {@link ChallengeResponse#CODE} for the one-time code
     * @param context of the request, whose place the login limits count by
     * @return empty where the account is not proved
     * @throws AuthUnavailableException if no decision could be reached, or the login limits refuse
     */
    public Optional<Enrolment> begin(
            String account, PasswordCredentials login, Map<String, Secret> responses, RequestContext context) {
        List<Runnable> whenConfirmed = new ArrayList<>(1);
        Optional<Enrolment> enrolment = switch (proofOf(account, login, responses, context, whenConfirmed::add)) {
            case PASSWORD -> codes.begin(account);
            case PASSWORD_AND_CODE -> codes.beginAnew(account);
            case NONE -> Optional.empty();
        };
        if (enrolment.isPresent()) {
            whenConfirmed.forEach(each -> begun.begun(account, each));
        }
        return enrolment;
    }

    /**
     * As {@link OneTimeCodes#confirm}; who can show a code of the new secret was shown it after {@link #begin}. By a request from the place of
     * that one: to the login limits the place has passed both steps from then on.
     *
     * @param account who asks: the subject's id
     * @param code of the app that was just set up
     * @return new recovery codes, to be shown once; empty where the code is wrong or nothing is pending
     */
    public Optional<List<Secret>> confirm(String account, Secret code) {
        Optional<List<Secret>> recovery = codes.confirm(account, code);
        if (recovery.isPresent()) {
            begun.confirmed(account);
        }
        return recovery;
    }

    /**
     * Ends that the account is asked for codes.
     *
     * @param account who asks: the subject's id
     * @param login the password of that account
     * @param responses to the steps of the account, by field: {@link ChallengeResponse#CODE} for the code of the app, or a recovery code
     * @param context of the request, whose place the login limits count by
     * @return whether the account was proved, and had any
     * @throws AuthUnavailableException as {@link #begin}
     */
    public boolean disable(
            String account, PasswordCredentials login, Map<String, Secret> responses, RequestContext context) {
        return proofOf(account, login, responses, context, added -> {}) == Proof.PASSWORD_AND_CODE
                && codes.remove(account);
    }

    private enum Proof {
        NONE,
        /** Enough for an account that has not enrolled; whether it has by now is looked at again when it counts. */
        PASSWORD,
        PASSWORD_AND_CODE
    }

    private Proof proofOf(
            String account,
            PasswordCredentials login,
            Map<String, Secret> responses,
            RequestContext context,
            Consumer<Runnable> whenAdded) {
        Verdict verdict = chain.prove(login, responses, context, whenAdded);
        if (!(verdict instanceof Authenticated proved) || !proved.subject().id().equals(account)) {
            return Proof.NONE;
        }
        return proved.factors().methods().contains(Factors.ONE_TIME_CODE) ? Proof.PASSWORD_AND_CODE : Proof.PASSWORD;
    }
}
