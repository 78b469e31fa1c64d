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
import dev.latchkey.auth.engine.BegunFactors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The management of a user's own codes, for a service's endpoints.
 *
 * <p>A session is not sufficient: with a stolen session, an attacker would enrol another device, lock out the owner, or
 * remove the step. Therefore each change needs the password again, and a code after an enrolment. The chain checks both
 * like a login. So the login limits apply, and guesses are limited here too.
 *
 * <p>Blocks. Safe for use by any number of threads.
 */
public final class OwnCodes {

    private final AuthChain chain;
    private final OneTimeCodes codes;
    private final BegunFactors begun = new BegunFactors();

    /**
     * @param chain contains the {@link OneTimeCodesPlugin} of these codes
     * @param codes the codes of the plugin
     */
    public OwnCodes(AuthChain chain, OneTimeCodes codes) {
        this.chain = Objects.requireNonNull(chain, "chain");
        this.codes = Objects.requireNonNull(codes, "codes");
    }

    /**
     * Begins an enrolment, or the enrolment of another device.
     *
     * @param account the subject's id of the caller
     * @param login the password of this account
     * @param responses for the account's steps, by field: {@link ChallengeResponse#CODE} for the one-time code
     * @param context of the request; the login limits count by its client IP
     * @return empty if the proofs are wrong
     * @throws AuthUnavailableException if no decision was possible, or the login limits reject the request
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
     * Completes an enrolment, see {@link OneTimeCodes#confirm}. A client with a code of the new secret has seen the
     * answer of {@link #begin}. The request must come from the client IP of {@code begin}: from then on, the login
     * limits treat the client as known with both steps.
     *
     * @param account the subject's id of the caller
     * @param code from the new app
     * @return new recovery codes, to be shown once; empty if the code is wrong or no enrolment is pending
     */
    public Optional<List<Secret>> confirm(String account, Secret code) {
        Optional<List<Secret>> recovery = codes.confirm(account, code);
        if (recovery.isPresent()) {
            begun.confirmed(account);
        }
        return recovery;
    }

    /**
     * Removes the account's enrolment.
     *
     * @param account the subject's id of the caller
     * @param login the password of this account
     * @param responses for the account's steps, by field: {@link ChallengeResponse#CODE} for the code of the app, or a
     *     recovery code
     * @param context of the request; the login limits count by its client IP
     * @return whether the proofs were right and the account had codes
     * @throws AuthUnavailableException like {@link #begin}
     */
    public boolean disable(
            String account, PasswordCredentials login, Map<String, Secret> responses, RequestContext context) {
        return proofOf(account, login, responses, context, added -> {}) == Proof.PASSWORD_AND_CODE
                && codes.remove(account);
    }

    private enum Proof {
        NONE,
        /** Sufficient without an enrolment. The change itself checks the enrolment again. */
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
