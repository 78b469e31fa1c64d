package dev.latchkey.tests.contracts;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import java.util.Optional;
import java.util.Set;

/**
 * A code by mail, named in the state of the challenge. The class keeps the whole contract; a broken plugin overrides a method.
 */
class CodeStep implements LoginStep {

    final Mailbox mailbox;
    private volatile boolean closed;

    CodeStep(Mailbox mailbox) {
        this.mailbox = mailbox;
    }

    @Override
    public String name() {
        return "mail";
    }

    @Override
    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
        if (closed) {
            throw AuthUnavailableException.outage("The plugin is closed");
        }
        String account = login.subject().id();
        return Set.of("ada", "grace").contains(account)
                ? Optional.of(challenge(login, mailbox.mailCode(account)))
                : Optional.empty();
    }

    Challenged challenge(Authenticated login, String number) {
        return Challenged.by(login, "mail").withState(Secret.of(number));
    }

    @Override
    public StepResult answer(ChallengeResponse response, RequestContext context) {
        Secret code = response.code().orElse(null);
        if (closed || code == null) {
            return Rejected.because(RejectionReason.MALFORMED);
        }
        String account = response.challenge().soFar().subject().id();
        return isRight(account, numberOf(response.challenge()), code.withText(CharSequence::toString))
                ? Passed.step()
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    String numberOf(Challenged challenge) {
        return challenge
                .state()
                .map(state -> state.<String>withText(CharSequence::toString))
                .orElse("");
    }

    boolean isRight(String account, String number, String given) {
        return mailbox.codes.remove(account + " " + number, given);
    }

    @Override
    public void close() {
        closed = true;
    }
}
