package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.StepResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Wants a code of alice, and keeps the accounts and the thread of each question. */
final class StepOfAlice implements LoginStep {

    final List<String> asked = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();
    volatile boolean isUp = true;

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
        asked.add(login.subject().id());
        threads.add(Thread.currentThread().getName());
        if (!isUp) {
            throw AuthUnavailableException.outage("The table of codes is gone");
        }
        return login.subject().id().equals("alice")
                ? Optional.of(Challenged.by(login, Factors.ONE_TIME_CODE))
                : Optional.empty();
    }
}
