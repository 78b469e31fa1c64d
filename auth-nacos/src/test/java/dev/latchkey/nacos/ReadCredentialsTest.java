package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RegisteredCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The keys of a source from another jar, in a header field of each request. */
final class ReadCredentialsTest {

    private final PluginParts parts = new PluginParts(new FakeUsers(), new FakeRoles());
    private final AuthChain chain = Sources.inServer(AuthChain.of(parts.passwords, new Keys()), parts.passwords, 200);
    private final NacosLogins logins = logins();

    @AfterEach
    void close() {
        chain.close();
        parts.close();
    }

    @Test
    void key_isItsSubjectUnderTheNameOfTheSource() {
        assertThat(user()).contains("keys:alice");
    }

    @Test
    void logoutOfASubject_endsItsKeys() {
        logins.logoutAll("keys:alice");

        assertThat(user()).isEmpty();
    }

    @Test
    void logoutOfTheServersUserOfTheSameId_endsNoKey() {
        logins.logoutAll("alice");

        assertThat(user()).contains("keys:alice");
    }

    private NacosLogins logins() {
        return new NacosLogins(
                chain,
                parts.tokens,
                new OtherTokens(chain, parts.tokens.revoked(), InstantSource.system()),
                new FakeRoles(),
                parts.settings.sources().rules(),
                new RequestThreads(1, () -> true, name -> true));
    }

    private Optional<String> user() {
        return CurrentCall.of("192.0.2.1", TrustedProxies.none())
                .within(logins::byHeaderFields)
                .map(LatchkeyUser::getUserName);
    }

    private record Key(String owner) implements RegisteredCredentials {}

    /** Reads a key of alice from each request. */
    private static final class Keys implements LoginSource<Key>, CredentialsReader, CredentialsRevoker {

        private final Set<String> revoked = new HashSet<>();

        @Override
        public String name() {
            return "keys";
        }

        @Override
        public Class<Key> kind() {
            return Key.class;
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            return Optional.of(new Key("alice"));
        }

        @Override
        public Decision authenticate(Key key, RequestContext context) {
            return revoked.contains(key.owner())
                    ? Rejected.because(RejectionReason.BAD_CREDENTIALS)
                    : Authenticated.as(Subject.of(key.owner()));
        }

        @Override
        public boolean revoke(Credentials credentials) {
            return false;
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            return revoked.add(subjectId);
        }
    }
}
