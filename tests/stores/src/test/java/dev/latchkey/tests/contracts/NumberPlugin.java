package dev.latchkey.tests.contracts;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.util.Optional;

/** A source of telephone numbers with a PIN. The country of a number has two small letters, or there are no credentials. */
final class NumberPlugin implements LoginSource<NumberPlugin.Telephone> {

    static final Telephone VALID = new Telephone("de", "4915112345", Secret.of("pin-of-ada-1815"));
    static final Telephone WRONG = new Telephone("de", "4915112345", Secret.of("pin-of-nobody-0"));

    record Telephone(String country, String digits, Secret pin) implements Credentials {

        Telephone {
            if (!country.matches("[a-z]{2}")) {
                throw new IllegalArgumentException("A country has two small letters, as in de");
            }
        }

        @Override
        public Optional<String> account() {
            return Optional.of(digits);
        }
    }

    private volatile boolean closed;

    @Override
    public String name() {
        return "numbers";
    }

    @Override
    public Class<Telephone> kind() {
        return Telephone.class;
    }

    @Override
    public Decision authenticate(Telephone given, RequestContext context) {
        boolean isAda =
                given.country().equals(VALID.country()) && given.digits().equals(VALID.digits());
        return !closed && isAda && given.pin().matches(VALID.pin())
                ? Authenticated.as(Subject.of("ada"))
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    @Override
    public void close() {
        closed = true;
    }
}
