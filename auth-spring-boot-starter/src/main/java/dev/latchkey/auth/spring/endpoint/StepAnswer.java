package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.login.NextStep;

/**
 * A 401 that says which step comes next (RFC 9457): {@code method} by its name of RFC 8176, {@code continuation} to be sent back with the
 * {@code code}, and {@code expires_in} in seconds.
 */
final class StepAnswer {

    private StepAnswer() {}

    static Answer of(NextStep step) {
        // What is in it needs no escaping: a method has letters, digits and a few signs, a continuation is Base64.
        String members = ",\"method\":\"" + step.method() + "\",\"continuation\":\"" + step.continuation()
                + "\",\"expires_in\":" + step.lifetime().toSeconds();
        return Answer.of(Problem.NEXT_STEP, members).with("WWW-Authenticate", BearerChallenge.PLAIN.field());
    }
}
