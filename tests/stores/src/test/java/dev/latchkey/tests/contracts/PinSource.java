package dev.latchkey.tests.contracts;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.util.Optional;

/** A source that asks its own accounts for the PIN. The subject's id may have a prefix, so the state keeps the name. */
class PinSource extends PinStep implements LoginSource<PasswordCredentials> {

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public Decision authenticate(PasswordCredentials login, RequestContext context) {
        return Challenged.by(Authenticated.as(Subject.of(login.username())), "pin")
                .withState(Secret.of(login.username()));
    }

    @Override
    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
        return Optional.empty();
    }

    @Override
    String accountOf(Challenged challenge) {
        return challenge
                .state()
                .map(state -> state.<String>withText(CharSequence::toString))
                .orElse("");
    }
}
