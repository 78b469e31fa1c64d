package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.StepResult;
import java.util.Optional;

/** Wants a code of each account with the role USER, and knows no account by its name. */
final class StepOfUsers implements LoginStep {

    @Override
    public String name() {
        return "codes";
    }

    @Override
    public StepResult answer(ChallengeResponse response, RequestContext context) {
        return Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    @Override
    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
        return login.subject().authorities().contains("ROLE_USER")
                ? Optional.of(Challenged.by(login, Factors.ONE_TIME_CODE))
                : Optional.empty();
    }
}
