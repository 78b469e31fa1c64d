package dev.latchkey.auth.spring.plugin;

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
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.AuthChain;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A source of passwords that revokes as well, behind its bulkhead and the cache. */
class RevokedVerdictsTest {

    private static final PasswordCredentials ADA = new PasswordCredentials("ada", Secret.of("right"));

    private final CredentialCache cache = CredentialCache.create();
    private final Issuing plugin = new Issuing(new ArrayList<>());
    private final AuthChain chain =
            AuthChain.of(plugin).withEach(new PluginBounds(new PluginSettings(Map.of(), key -> ""), 200, cache, null));

    @AfterEach
    void close() {
        cache.close();
    }

    private record Issuing(List<String> heard) implements LoginSource<PasswordCredentials>, CredentialsRevoker {

        @Override
        public String name() {
            return "issuing";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Optional<Duration> reusableFor() {
            return Optional.of(Duration.ofMinutes(1));
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            heard.add("login");
            return Authenticated.as(Subject.of("ada"));
        }

        @Override
        public boolean revoke(Credentials credentials) {
            return heard.add("revoke");
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            return heard.add("revoke all of " + subjectId);
        }
    }

    @Test
    void revocation_reachesThePlugin_andEndsWhatIsRemembered() {
        chain.authenticate(ADA);
        chain.authenticate(ADA);
        assertThat(chain.revokeAll("ada", Instant.now())).isTrue();
        chain.authenticate(ADA);
        assertThat(chain.revoke(ADA)).isTrue();
        chain.authenticate(ADA);
        assertThat(plugin.heard()).containsExactly("login", "revoke all of ada", "login", "revoke", "login");
    }
}
