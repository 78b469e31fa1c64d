package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.InMemoryRevocationStore;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A password that changes while a login is under way; {@link TokenLogin} says why that is the hard part. */
class TokenLoginTest {

    /** Of today: the stores of revoked and of refresh tokens go by the system's clock. Half a second past, for what is rounded. */
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusMillis(500);

    private final HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
    private final InMemoryRevocationStore revocations = new InMemoryRevocationStore(Duration.ofHours(1));

    @Test
    void loginInTheSecondOfARevocation_getsATokenThatIsNotRevoked() {
        revocations.revokeSubject("alice", now);
        IssuedTokens token = login(attempt -> true).orElseThrow();
        Instant issuedAt = JwtVerifier.with(key)
                .withTimeSource(() -> now)
                .verifyOrThrow(token.access().value())
                .issuedAt()
                .orElseThrow();
        assertThat(revocations.isSubjectRevoked("alice", issuedAt)).isFalse();
    }

    @Test
    void passwordChangedDuringTheCheck_givesNoToken() {
        assertThat(login(attempt -> {
                    if (attempt == 1) {
                        revocations.revokeSubject("alice", now);
                    }
                    return attempt == 1;
                }))
                .isEmpty();
    }

    @Test
    void revocationThatReachesIntoTheFuture_isABan() {
        revocations.revokeSubject("alice", now.plusSeconds(3600));
        assertThat(login(attempt -> true)).isEmpty();
    }

    @Test
    void revocationBetweenTwoSteps_givesNoToken() {
        assertThat(twoSteps(() -> {})).isPresent();
        assertThat(twoSteps(() -> revocations.revokeSubject("alice", now))).isEmpty();
    }

    private Optional<LoginOutcome> twoSteps(Runnable between) {
        TokenLogin login = tokenLogin(AuthChain.of(new Accounts(attempt -> true), new StepPlugin()));
        NextStep step =
                (NextStep) login.login(new PasswordCredentials("alice", Secret.of("secret")), RequestContext.none())
                        .orElseThrow();
        between.run();
        return login.goOn(step.continuation(), Secret.of(StepPlugin.CODE), RequestContext.none());
    }

    private Optional<IssuedTokens> login(Check check) {
        return tokenLogin(AuthChain.of(new Accounts(check)))
                .login(new PasswordCredentials("alice", Secret.of("secret")), RequestContext.none())
                .map(IssuedTokens.class::cast);
    }

    private TokenLogin tokenLogin(AuthChain plugins) {
        LatchkeyProperties.Jwt settings =
                new LatchkeyProperties.Jwt(true, null, null, List.of(), Duration.ZERO, null, null, Duration.ofHours(1));
        return new TokenLogin(
                plugins,
                new AccessTokens(JwtSigner.with(key), settings, subject -> Map.of()),
                revocations,
                () -> now,
                null);
    }

    private interface Check {
        boolean accepts(int attempt);
    }

    private static final class Accounts implements AuthPlugin {

        private final Check check;
        private int attempts;

        Accounts(Check check) {
            this.check = check;
        }

        @Override
        public String name() {
            return "accounts";
        }

        @Override
        public Decision authenticate(Credentials credentials, RequestContext context) {
            attempts++;
            return check.accepts(attempts)
                    ? Authenticated.as(Subject.of("alice"))
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }
}
