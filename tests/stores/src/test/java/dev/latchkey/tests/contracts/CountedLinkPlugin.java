package dev.latchkey.tests.contracts;

/** Mailed links with a limit on guesses. The fifth wrong guess voids all links. */
final class CountedLinkPlugin extends LinkPlugin {

    private static final int GUESSES = 5;

    private int wrong;

    CountedLinkPlugin(Mailbox mailbox) {
        super(mailbox);
    }

    @Override
    synchronized String use(String text) {
        String account = super.use(text);
        if (account != null) {
            wrong = 0;
        } else if (++wrong == GUESSES) {
            wrong = 0;
            mailbox.links.clear();
        }
        return account;
    }
}
