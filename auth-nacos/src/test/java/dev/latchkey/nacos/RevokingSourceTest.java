package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.PluginCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A source of passwords with reusable verdicts that revokes its own credentials too. */
final class RevokingSourceTest {

    private final List<String> revoked = new ArrayList<>();

    @Test
    void revocation_reachesASourceBehindTheCache() {
        try (PluginParts parts = new PluginParts(new FakeUsers(), new FakeRoles())) {
            AuthChain chain =
                    AuthChain.of(new Revoking()).withEach(new Sources.Bounds(parts.passwords, PluginCalls.on(4)));
            assertThat(chain.authenticate(new PasswordCredentials("ada", Secret.of("password"))))
                    .isInstanceOf(Authenticated.class);
            assertThat(chain.revokeAll("ada", Instant.now())).isTrue();
            assertThat(revoked).containsExactly("ada");
        }
    }

    private final class Revoking implements LoginSource<PasswordCredentials>, CredentialsRevoker {

        @Override
        public String name() {
            return "revoking";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return Authenticated.as(Subject.of(credentials.username()));
        }

        @Override
        public Optional<Duration> reusableFor() {
            return Optional.of(Duration.ofMinutes(1));
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
