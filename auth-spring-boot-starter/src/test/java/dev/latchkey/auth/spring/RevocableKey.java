package dev.latchkey.auth.spring;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import java.util.Optional;

/** A plugin that reads the field {@code X-Key} and accepts {@code good} until that is revoked. */
public final class RevocableKey implements LoginSource<RevocableKey.Key>, CredentialsReader {

    record Key(String text) implements IssuedCredentials {}

    private volatile boolean revoked;

    public void revoke() {
        revoked = true;
    }

    @Override
    public String name() {
        return "key";
    }

    @Override
    public Class<Key> kind() {
        return Key.class;
    }

    @Override
    public Optional<Credentials> read(RequestContext context) {
        return context.header("X-Key").stream().findFirst().map(Key::new);
    }

    @Override
    public boolean needsNoCsrfToken() {
        return true;
    }

    @Override
    public Decision authenticate(Key key, RequestContext context) {
        return key.text().equals("good") && !revoked
                ? Authenticated.as(Subject.of("robot").withAuthorities("ROLE_USER"))
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }
}
