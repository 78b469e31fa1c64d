package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.login.OpenChallenges.Open;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The steps of a login after its first credentials. The account may change between two steps, so each step looks at the account
 * again. Safe for use by any number of threads.
 */
record LoginSteps(AuthChain plugins, RevocationStore revocations, OpenChallenges challenges) {

    /**
     * Begins the first step.
     *
     * @param begun the start of the login
     */
    NextStep open(Challenged challenged, Instant begun, RequestContext context, TokenOptions options) {
        Authenticated login = challenged.soFar();
        Optional<Authenticated> account = login.stamp() == null ? accountOf(login) : Optional.empty();
        return challenges.open(challenged, account, begun, context, options);
    }

    /** Begins another step after the step of this open login. */
    NextStep openNext(Challenged next, Open open, RequestContext context) {
        return challenges.open(next, open.account(), open.startedAt(), context, open.options());
    }

    /**
     * The login of this continuation, if the login is of this client. Afterwards the continuation is invalid.
     *
     * @return empty also if the client has sent another response before, without an answer
     */
    Optional<Open> take(String continuation, Map<String, Secret> response, String client, RequestContext context) {
        return challenges
                .take(continuation, context)
                .filter(open -> open.options().client().equals(client))
                .flatMap(open -> open.answeredBy(response));
    }

    /** The verdict on the response of this login. */
    Verdict answer(Open open, Map<String, Secret> response, RequestContext context) {
        return plugins.authenticate(
                new ChallengeResponse(open.challenge(), response),
                context,
                open.sent().orElseThrow().use());
    }

    /** The client got no answer to the response, and may send the same response again. */
    void keepAgain(Open open) {
        challenges.keepAgain(open);
    }

    /** Whether the account of the open login is neither revoked nor changed. The password cannot be checked again. */
    boolean isStillGood(Authenticated login, Open open) {
        return !revocations.isSubjectRevoked(login.subject().id(), open.startedAt()) && isUnchanged(login, open);
    }

    private boolean isUnchanged(Authenticated login, Open open) {
        Authenticated before = open.account().orElse(null);
        if (before == null) {
            return plugins.decidedLogins().isUnchanged(login);
        }
        return accountOf(login)
                .filter(account -> isCreatedByLogin(account, open) || !account.isYoungerThan(open.startedAt()))
                .filter(account -> before.stamp() == null
                        ? account.stamp() == null
                        : account.stamp() != null && before.stamp().matches(account.stamp()))
                .isPresent();
    }

    /** The login itself knows the creation. A later account of the same name has another creation. */
    private static boolean isCreatedByLogin(Authenticated account, Open open) {
        return Objects.equals(account.created(), open.challenge().soFar().created());
    }

    private Optional<Authenticated> accountOf(Authenticated login) {
        return plugins.decidedLogins().active(login.plugin(), login.subject().id());
    }

    /** The code is used and the tokens are made. With an outage of the device store, the next login needs a code again. */
    Optional<RememberedDevice> remember(Open open, Authenticated login, RequestContext context) {
        String account = login.subject().id();
        try {
            Optional<RememberedDevice> device =
                    plugins.decidedLogins().remember(open.challenge().plugin(), login, context);
            if (device.isPresent() && revocations.isSubjectRevoked(account, open.startedAt())) {
                // The revocation came before the row of the device. The row has the time of the login, so the same
                // revocation ends the row.
                plugins.revokeAll(account, revocations.currentNotBefore(account).minusNanos(1));
                return Optional.empty();
            }
            return device;
        } catch (AuthUnavailableException e) {
            return Optional.empty();
        }
    }
}
