package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.RequestContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Wants a code of alice, and keeps whom it was asked about, and on which thread. */
final class StepOfAlice implements AuthPlugin {

    final List<String> asked = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();
    volatile boolean isUp = true;

    @Override
    public String name() {
        return "codes";
    }

    @Override
    public boolean supports(Class<? extends Credentials> kind) {
        return kind == ChallengeResponse.class;
    }

    @Override
    public Decision authenticate(Credentials credentials, RequestContext context) {
        return Decision.abstained();
    }

    @Override
    public Optional<Challenged> secondStep(Authenticated login, RequestContext context) {
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
