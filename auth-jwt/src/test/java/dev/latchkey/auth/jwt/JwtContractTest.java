package dev.latchkey.auth.jwt;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.contract.CredentialsRevokerContract;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** The contracts of tokens, as a source and as a revoker. */
class JwtContractTest {

    /** The store asks the system's clock when a token may be forgotten, so the tokens here are dated by it too. */
    private static final JwtSigner SIGNER = JwtSigner.with(Forge.KEY);

    private static JwtAuthPlugin plugin() {
        return JwtAuthPlugin.of(JwtVerifier.with(Forge.KEY), new InMemoryRevocationStore(Duration.ofHours(1)));
    }

    private static JwtClaims claims(String subject) {
        return JwtClaims.forSubject(subject, Duration.ofHours(1)).withId("id-of-" + subject);
    }

    private static BearerToken token(String subject) {
        return BearerToken.of(SIGNER.sign(claims(subject).with("authorities", List.of("ROLE_A", "b"))));
    }

    private static BearerToken wrong() {
        return BearerToken.of(
                JwtSigner.with(HmacKey.generate(HmacAlgorithm.HS256)).sign(claims("alice")));
    }

    @Nested
    class Source extends LoginSourceContract {

        private final BearerToken valid = token("alice");

        @Override
        protected JwtAuthPlugin newPlugin() {
            return plugin();
        }

        @Override
        protected Credentials validCredentials() {
            return valid;
        }

        @Override
        protected Credentials wrongCredentials() {
            return wrong();
        }

        @Override
        protected Optional<Credentials> secondValidCredentials() {
            return Optional.of(token("bob"));
        }

        @Override
        protected Optional<Credentials> expiredCredentials() {
            JwtSigner yesterday = SIGNER.withTimeSource(() -> Instant.now().minus(Duration.ofDays(1)));
            return Optional.of(BearerToken.of(yesterday.sign(claims("alice"))));
        }

        @Override
        protected List<String> moreSecrets() {
            String token = valid.token().withText(CharSequence::toString);
            return List.of(token.substring(token.lastIndexOf('.') + 1), "0123456789abcdefghijklmnopqrstuv");
        }
    }

    @Nested
    class Revoker extends CredentialsRevokerContract {

        private final BearerToken valid = token("alice");

        @Override
        protected JwtAuthPlugin newPlugin() {
            return plugin();
        }

        @Override
        protected Credentials validCredentials() {
            return valid;
        }

        @Override
        protected Credentials wrongCredentials() {
            return wrong();
        }

        @Override
        protected Optional<Credentials> secondValidCredentials() {
            return Optional.of(token("bob"));
        }
    }
}
