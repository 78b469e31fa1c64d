package dev.latchkey.plugins.codes;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A service's own step: everybody's PIN is {@code 2468}, in a field of its own. */
public final class PinStep implements LoginStep {

    public static final String RIGHT = "2468";

    @Override
    public String name() {
        return "pins";
    }

    @Override
    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
        return Optional.of(Challenged.by(login, "pin"));
    }

    @Override
    public StepResult answer(ChallengeResponse response, RequestContext context) {
        return answer(response);
    }

    /** The additions of the step: another factor, an authority and a claim. */
    static StepResult answer(ChallengeResponse response) {
        return response.field("pin").filter(Secret.of(RIGHT)::matches).isPresent()
                ? Passed.step()
                        .withFactors("hwk")
                        .withAuthorities(List.of("ROLE_VAULT"))
                        .withClaims(Map.of("branch", "Berlin"))
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }
}
