package dev.latchkey.auth.engine;

import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.LoginPipeline.Devices;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/** A login with every step in one call, for a change beyond the session. A remembered device does not replace a step. */
record FreshProof(AuthChain chain, Map<String, Secret> responses, RequestContext context) {

    Verdict of(Credentials credentials, Consumer<Runnable> whenAdded) {
        Objects.requireNonNull(whenAdded, "whenAdded");
        LoginGate gate = (shown, account, decision) -> chain.gate.decide(shown, account, decision, whenAdded);
        Verdict verdict = decide(credentials, gate);
        Set<String> asked = new HashSet<>();
        while (verdict instanceof Challenged challenge && asked.add(challenge.plugin())) {
            verdict = decide(new ChallengeResponse(challenge, responses), gate);
        }
        return verdict;
    }

    private Verdict decide(Credentials credentials, LoginGate gate) {
        return new LoginPipeline(chain, credentials, context, Devices.DO_NOT_COUNT, new StepUse()).run(gate);
    }
}
