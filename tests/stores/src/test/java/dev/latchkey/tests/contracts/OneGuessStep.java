package dev.latchkey.tests.contracts;

/** A code by mail that is void after one guess, right or wrong. */
class OneGuessStep extends CodeStep {

    OneGuessStep(Mailbox mailbox) {
        super(mailbox);
    }

    @Override
    boolean isRight(String account, String number, String given) {
        return given.equals(mailbox.codes.remove(account + " " + number));
    }
}
