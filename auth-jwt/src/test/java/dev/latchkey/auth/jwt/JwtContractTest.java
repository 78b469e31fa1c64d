package dev.latchkey.auth.jwt;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.contract.CredentialsRevokerContract;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** The store asks the system's clock when a token may be forgotten, so the tokens here are dated by that clock too. */
class JwtAuthPluginContractTest {

    private static final JwtSigner SIGNER = JwtSigner.with(Forge.KEY);
    private static final JwtClaims ALICE =
            JwtClaims.forSubject("alice", Duration.ofHours(1)).with("authorities", List.of("ROLE_A", "b"));
    private static final BearerToken VALID = BearerToken.of(SIGNER.sign(ALICE.withId("id-1")));
    private static final BearerToken OF_BOB = BearerToken.of(
            SIGNER.sign(JwtClaims.forSubject("bob", Duration.ofHours(1)).withId("id-3")));
    private static final BearerToken FORGED =
            BearerToken.of(JwtSigner.with(HmacKey.generate(HmacAlgorithm.HS256)).sign(ALICE.withId("id-2")));

    private static JwtAuthPlugin plugin() {
        return JwtAuthPlugin.of(JwtVerifier.with(Forge.KEY), new InMemoryRevocationStore(Duration.ofHours(1)));
    }

    @Nested
    class Source extends LoginSourceContract {

        @Override
        protected JwtAuthPlugin newPlugin() {
            return plugin();
        }

        @Override
        protected Credentials validCredentials() {
            return VALID;
        }

        @Override
        protected Credentials wrongCredentials() {
            return FORGED;
        }

        @Override
        protected Optional<Credentials> expiredCredentials() {
            InstantSource yesterday = () -> InstantSource.system().instant().minus(Duration.ofDays(1));
            return Optional.of(BearerToken.of(SIGNER.withTimeSource(yesterday).sign(ALICE.withId("id-4"))));
        }

        @Override
        protected Optional<Credentials> secondValidCredentials() {
            return Optional.of(OF_BOB);
        }
    }

    @Nested
    class Revoker extends CredentialsRevokerContract {

        @Override
        protected JwtAuthPlugin newPlugin() {
            return plugin();
        }

        @Override
        protected Credentials validCredentials() {
            return VALID;
        }

        @Override
        protected Credentials wrongCredentials() {
            return FORGED;
        }

        @Override
        protected Optional<Credentials> secondValidCredentials() {
            return Optional.of(OF_BOB);
        }
    }
}
