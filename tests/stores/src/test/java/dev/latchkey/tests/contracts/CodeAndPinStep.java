package dev.latchkey.tests.contracts;

import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import java.util.Optional;

/** A code by mail, and the PIN of the account in another field. */
class CodeAndPinStep extends CodeStep {

    CodeAndPinStep(Mailbox mailbox) {
        super(mailbox);
    }

    @Override
    public StepResult answer(ChallengeResponse response, RequestContext context) {
        String account = response.challenge().soFar().subject().id();
        return isRightPin(account, response.field("pin"))
                ? super.answer(response, context)
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    boolean isRightPin(String account, Optional<Secret> pin) {
        return pin.map(given -> given.<String>withText(CharSequence::toString))
                .filter(given -> given.equals(PinStep.PINS.get(account)))
                .isPresent();
    }
}
