package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A changed password or ended sessions during a login; {@link TokenLogin} explains the difficulty. */
class TokenLoginTest {

    /** Of today: the stores of revoked and of refresh tokens go by the system's clock. Half a second past, for what is rounded. */
    private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusMillis(500);

    /** Goes on while a login waits, and not otherwise. */
    private Instant now = start;

    private Runnable duringTheWait = () -> {};

    private final HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
    private final InMemoryRevocationStore revocations = new InMemoryRevocationStore(Duration.ofHours(1));

    @Test
    void loginInTheSecondOfARevocation_waitsUntilItIsOver_andGetsATokenOfThen() {
        revocations.revokeSubject("alice", now);
        Instant issuedAt = issuedAt(login(attempt -> true).orElseThrow());
        assertThat(now).isEqualTo(start.plusMillis(500));
        assertThat(issuedAt).isEqualTo(now);
        assertThat(revocations.isSubjectRevoked("alice", issuedAt)).isFalse();
    }

    @Test
    void loginInTheNextSecond_doesNotWait() {
        revocations.revokeSubject("alice", now.minusMillis(501));
        assertThat(issuedAt(login(attempt -> true).orElseThrow())).isEqualTo(start.minusMillis(500));
        assertThat(now).isEqualTo(start);
    }

    @Test
    void tokenIssuedBetweenTwoRevocations_isRevoked() {
        revocations.revokeSubject("alice", now);
        Instant issuedAt = issuedAt(login(attempt -> true).orElseThrow());
        revocations.revokeSubject("alice", now);
        assertThat(revocations.isSubjectRevoked("alice", issuedAt)).isTrue();
    }

    @Test
    void revocationDuringTheWait_keepsNobodyWaitingLonger() {
        revocations.revokeSubject("alice", now);
        duringTheWait = () -> revocations.revokeSubject("alice", start.plusMillis(400));
        Instant issuedAt = issuedAt(login(attempt -> true).orElseThrow());
        assertThat(revocations.isSubjectRevoked("alice", issuedAt)).isFalse();
    }

    @Test
    void passwordChangedDuringTheWait_givesNoToken() {
        revocations.revokeSubject("alice", now);
        assertThat(login(attempt -> attempt == 1)).isEmpty();
        assertThat(now).isAfter(start);
    }

    @Test
    void revocationDuringTheCheckAfterTheWait_coversTheToken() {
        revocations.revokeSubject("alice", now);
        Instant issuedAt = issuedAt(login(attempt -> {
                    if (attempt == 2) {
                        revocations.revokeSubject("alice", now);
                    }
                    return true;
                })
                .orElseThrow());
        assertThat(revocations.isSubjectRevoked("alice", issuedAt)).isTrue();
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
        revocations.revokeSubject("alice", now.plusMillis(500));
        assertThat(login(attempt -> true)).isEmpty();
        revocations.revokeSubject("alice", Instant.MAX);
        assertThat(login(attempt -> true)).isEmpty();
        assertThat(now).isEqualTo(start);
    }

    @Test
    void loginOfTwoStepsInTheSecondOfARevocation_waitsAtItsFirst() {
        revocations.revokeSubject("alice", now);
        Instant issuedAt = issuedAt((IssuedTokens) twoSteps(() -> {}).orElseThrow());
        assertThat(issuedAt).isEqualTo(start.plusMillis(500));
    }

    @Test
    void revocationBetweenTwoSteps_givesNoToken() {
        assertThat(twoSteps(() -> {})).isPresent();
        assertThat(twoSteps(() -> revocations.revokeSubject("alice", now))).isEmpty();
    }

    /** A session of Spring Security may be older than the revocation. */
    @Test
    void loginThatBeganBeforeARevocation_getsNoToken() {
        revocations.revokeSubject("alice", now.minusSeconds(30));
        assertThat(issuedFor(now.minusSeconds(60))).isEmpty();
        assertThat(issuedFor(now.minusSeconds(20))).isPresent();
    }

    private Optional<LoginOutcome> issuedFor(Instant at) {
        Authenticated login = Authenticated.as(Subject.of("alice"));
        return tokenLogin(AuthChain.of(new Accounts(attempt -> true)))
                .issueFor(() -> Optional.of(login), at, Set.of(), RequestContext.none(), TokenOptions.defaults());
    }

    private Optional<LoginOutcome> twoSteps(Runnable between) {
        TokenLogin login = tokenLogin(AuthChain.of(new Accounts(attempt -> true), new StepPlugin()));
        NextStep step =
                (NextStep) login.login(new PasswordCredentials("alice", Secret.of("secret")), RequestContext.none())
                        .orElseThrow();
        between.run();
        return login.goOn(step.continuation(), Map.of("code", Secret.of(StepPlugin.CODE)), RequestContext.none());
    }

    private Instant issuedAt(IssuedTokens tokens) {
        return JwtVerifier.with(key)
                .withTimeSource(() -> now)
                .verifyOrThrow(tokens.access().value())
                .issuedAt()
                .orElseThrow();
    }

    private Optional<IssuedTokens> login(Check check) {
        return tokenLogin(AuthChain.of(new Accounts(check)))
                .login(new PasswordCredentials("alice", Secret.of("secret")), RequestContext.none())
                .map(IssuedTokens.class::cast);
    }

    private TokenLogin tokenLogin(AuthChain plugins) {
        LatchkeyProperties.Jwt settings = RefreshScene.propertiesOf(List.of()).jwt();
        return new TokenLogin(
                plugins,
                new AccessTokens(
                        JwtSigner.with(key),
                        JwtVerifier.with(key),
                        revocations,
                        settings,
                        List.of(),
                        (token, jwt) -> true),
                () -> now,
                new RevokedSecond(() -> now, pause -> {
                    duringTheWait.run();
                    now = now.plus(pause);
                }),
                null);
    }

    private interface Check {
        boolean accepts(int attempt);
    }

    private static final class Accounts implements LoginSource<Credentials> {

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
        public Class<Credentials> kind() {

            return Credentials.class;
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
