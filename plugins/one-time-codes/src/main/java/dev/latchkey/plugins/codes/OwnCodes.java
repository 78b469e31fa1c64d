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
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.engine.BegunFactors;
import dev.latchkey.plugins.codes.PendingSecret.Proof;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
     * @throws AuthPluginException if the account has not
     *     {@linkplain dev.latchkey.auth.engine.DecidedLogins#requireOneName one name}, or a plugin broke its contract
     */
    public Optional<Enrolment> begin(
            String account, PasswordCredentials login, Map<String, Secret> responses, RequestContext context) {
        List<Runnable> whenConfirmed = new ArrayList<>(1);
        Authenticated proved = proved(account, login, responses, context, whenConfirmed::add);
        if (proved == null) {
            return Optional.empty();
        }
        chain.decidedLogins().requireOneName(proved);
        Proof proof = new Proof(
                chain.decidedLogins().stateOf(account), proved.factors().methods());
        Optional<Enrolment> enrolment = codes.begin(account, proof);
        // Without the answer, no caller knows the pending secret.
        if (enrolment.isEmpty() || !chain.isStillProved(proved, login, context)) {
            return Optional.empty();
        }
        whenConfirmed.forEach(each -> begun.begun(account, each));
        return enrolment;
    }

    /**
     * Completes an enrolment, see {@link OneTimeCodes#confirm}. A client with a code of the new secret has seen the
     * answer of {@link #begin}. Nothing is enrolled if the proof of {@code begin} would not be enough now: the account
     * has changed, was revoked, or needs another step. The enrolment is taken back if the account changes meanwhile. The
     * request must come from the client IP of {@code begin}: from then on, the login limits treat the client as known
     * with both steps.
     *
     * @param account the subject's id of the caller
     * @param code from the new app
     * @param context of the request
     * @return new recovery codes, to be shown once; empty if the code is wrong or no such enrolment is pending
     * @throws AuthUnavailableException if no decision was possible
     */
    public Optional<List<Secret>> confirm(String account, Secret code, RequestContext context) {
        // The new codes are no reason to refuse: the account needs a code now.
        Optional<List<Secret>> recovery = codes.confirm(
                account,
                code,
                pending -> isEnough(account, pending, Set.of(), context),
                pending -> isEnough(account, pending, Set.of(Factors.ONE_TIME_CODE), context));
        if (recovery.isPresent()) {
            begun.confirmed(account);
        }
        return recovery;
    }

    private boolean isEnough(String account, AccountCodes pending, Set<String> added, RequestContext context) {
        Instant since = Instant.ofEpochSecond(pending.stored().pendingSince());
        Proof proof = pending.pending().proof();
        return proof == null
                ? !chain.decidedLogins().isRevoked(account, since)
                : isEnough(account, proof, new Factors(proof.methods(), since).and(added, since), context);
    }

    private boolean isEnough(String account, Proof proof, Factors shown, RequestContext context) {
        return proof.state().matches(chain.decidedLogins().stateOf(account))
                && chain.decidedLogins().areEnough(account, shown, context);
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
        Authenticated proved = proved(account, login, responses, context, added -> {});
        return proved != null && hasCode(proved) && codes.remove(account);
    }

    /** Without an enrolment the password is enough. The change itself checks the enrolment again. */
    private static boolean hasCode(Authenticated proved) {
        return proved.factors().methods().contains(Factors.ONE_TIME_CODE);
    }

    private @Nullable Authenticated proved(
            String account,
            PasswordCredentials login,
            Map<String, Secret> responses,
            RequestContext context,
            Consumer<Runnable> whenAdded) {
        Verdict verdict = chain.prove(login, responses, context, whenAdded);
        return verdict instanceof Authenticated proved && proved.subject().id().equals(account) ? proved : null;
    }
}
