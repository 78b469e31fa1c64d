package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.login.NextStep;

/**
 * A 401 that says which step comes next (RFC 9457): {@code method} by its name of RFC 8176, {@code continuation} to be sent back with the
 * fields of the response, {@code expires_in} in seconds, and {@code parameters} where the step has some.
 */
final class StepAnswer {

    private StepAnswer() {}

    static Answer of(NextStep step) {
        // Method and continuation need no escaping: a method has letters, digits and a few signs, a continuation is
        // Base64.
        String members = ",\"method\":\"" + step.method() + "\",\"continuation\":\"" + step.continuation()
                + "\",\"expires_in\":" + step.lifetime().toSeconds()
                + (step.parameters().isEmpty() ? "" : ",\"parameters\":" + JsonText.of(step.parameters()));
        return Answer.of(Problem.NEXT_STEP, members).with("WWW-Authenticate", BearerChallenge.PLAIN.field());
    }
}
