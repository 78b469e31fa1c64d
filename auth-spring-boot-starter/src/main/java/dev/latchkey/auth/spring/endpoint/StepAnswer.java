package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.login.NextStep;

/**
 * The answer to a login that needs another step: {@code method} by the name of RFC 8176, {@code continuation} for the request with the response,
 * {@code expires_in} in seconds, and {@code parameters} if the step has any.
 */
final class StepAnswer {

    private StepAnswer() {}

    static Answer asProblem(NextStep step) {
        return Answer.of(Problem.NEXT_STEP, members(step)).with("WWW-Authenticate", BearerChallenge.PLAIN.field());
    }

    /** RFC 6749 has no code for another step. Auth0 and Okta answer {@code mfa_required}, so clients know this code. */
    static Answer asError(NextStep step) {
        return OAuthError.of("mfa_required", "Another step is wanted.", members(step));
    }

    private static String members(NextStep step) {
        // Method and continuation need no escaping: a method has letters, digits and a few signs, a continuation is
        // Base64.
        return ",\"method\":\"" + step.method() + "\",\"continuation\":\"" + step.continuation() + "\",\"expires_in\":"
                + step.lifetime().toSeconds()
                + (step.parameters().isEmpty() ? "" : ",\"parameters\":" + JsonText.of(step.parameters()));
    }
}
