package dev.latchkey.auth.spring;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reads a key from the header field {@code X-Key: <key>}; {@code good} is valid until its revocation. */
final class KeyPlugin implements LoginSource<KeyPlugin.Key>, CredentialsReader, CredentialsRevoker {

    record Key(String text) implements IssuedCredentials {}

    private final String name;
    private final String field;
    private final Set<Key> good = ConcurrentHashMap.newKeySet();
    private final Optional<String> challenge;

    KeyPlugin() {
        this("keys", "X-Key", Optional.of("Key realm=\"orders\""));
    }

    KeyPlugin(String name, String field, Optional<String> challenge) {
        this.name = name;
        this.field = field;
        this.challenge = challenge;
        good.add(new Key("good"));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<Key> kind() {
        return Key.class;
    }

    @Override
    public Decision authenticate(Key credentials, RequestContext context) {
        return good.contains(credentials)
                ? Authenticated.as(Subject.of("robot"))
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        return false;
    }

    @Override
    public boolean revoke(Credentials credentials) {
        return credentials instanceof Key key && good.remove(key);
    }

    @Override
    public Optional<Credentials> read(RequestContext context) {
        List<String> keys = context.header(field);
        return keys.size() == 1 ? Optional.of(new Key(keys.get(0))) : Optional.empty();
    }

    @Override
    public Optional<String> challenge() {
        return challenge;
    }
}
