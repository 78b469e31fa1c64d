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
import java.util.List;

/** A source of keys. The credentials are no record, and name their secret. */
class KeyPlugin implements LoginSource<KeyPlugin.Key> {

    static final Secret VALID = Secret.of("key-of-ada-1815-long-enough");
    static final Secret WRONG = Secret.of("key-of-nobody-at-all-0000000");

    static final class Key implements Credentials {

        private final Secret secret;

        Key(Secret secret) {
            this.secret = secret;
        }

        @Override
        public List<Secret> secrets() {
            return List.of(secret);
        }
    }

    private volatile boolean closed;

    @Override
    public String name() {
        return "keys";
    }

    @Override
    public Class<Key> kind() {
        return Key.class;
    }

    @Override
    public Decision authenticate(Key key, RequestContext context) {
        return !closed && isRight(key.secret)
                ? Authenticated.as(Subject.of("ada"))
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    boolean isRight(Secret given) {
        return given.matches(VALID);
    }

    @Override
    public void close() {
        closed = true;
    }
}
