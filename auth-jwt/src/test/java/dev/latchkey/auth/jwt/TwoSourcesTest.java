package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Two sources each have an account {@code ada}: a token of one is not the other's. */
class TwoSourcesTest {

    private final JwtSigner signer = JwtSigner.with(Forge.KEY);
    private final AuthChain chain = AuthChain.of(
            JwtAuthPlugin.of(JwtVerifier.with(Forge.KEY), new InMemoryRevocationStore(Duration.ofHours(1))),
            new Accounts("users", "ada"),
            new Accounts("directory", "ada@example.org"));

    /** One account: the subject is {@code ada} for both login names. */
    private record Accounts(String name, String username) implements LoginSource<PasswordCredentials> {

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return given.username().equals(username)
                    ? Authenticated.as(Subject.of("ada")).withStamp(Secret.of("stamp"))
                    : Decision.abstained();
        }
    }

    private Subject subjectOf(String username) {
        return ((Authenticated) chain.authenticate(new PasswordCredentials(username, Secret.of("any")))).subject();
    }

    private BearerToken tokenOf(String username) {
        return BearerToken.of(
                signer.sign(JwtClaims.forSubject(subjectOf(username).id(), Duration.ofHours(1))
                        .withId(username)));
    }

    private String idOf(BearerToken token) {
        return ((Authenticated) chain.authenticate(token)).subject().id();
    }

    @Test
    void tokenOfALogin_provesTheSubjectOfThatLogin() {
        assertThat(idOf(tokenOf("ada"))).isEqualTo("ada");
        assertThat(idOf(tokenOf("ada@example.org"))).isEqualTo("directory:ada");
    }

    @Test
    void revocationOfOne_leavesTheTokensOfTheOther() {
        BearerToken local = tokenOf("ada");
        BearerToken remote = tokenOf("ada@example.org");
        assertThat(chain.revokeAll("ada", Instant.now().plusSeconds(1))).isTrue();
        assertThat(chain.authenticate(local)).isInstanceOf(Rejected.class);
        assertThat(idOf(remote)).isEqualTo("directory:ada");
        assertThat(chain.revoke(remote)).isTrue();
        assertThat(chain.authenticate(remote)).isInstanceOf(Rejected.class);
    }
}
