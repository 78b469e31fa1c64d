package dev.latchkey.auth.spring.login;

import static dev.latchkey.auth.spring.login.RefreshScene.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.spring.login.TokenRevocation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rotation, reuse and lifetimes. */
class RefreshableLoginsTest {

    private final RefreshScene scene = new RefreshScene();

    @Test
    void refresh_givesNewTokens_andTheAccountsPresentAuthorities() {
        IssuedTokens first = scene.login();
        scene.accounts.authorities = Set.of("ROLE_ADMIN");
        scene.now = scene.now.plusSeconds(60);
        IssuedTokens second = scene.logins.refresh(text(first)).orElseThrow();
        assertThat(text(second)).isNotEqualTo(text(first));
        assertThat(scene.subjectOf(first).authorities()).containsExactly("ROLE_USER");
        assertThat(scene.subjectOf(second).authorities()).containsExactly("ROLE_ADMIN");
        assertThat(scene.logins.refresh(text(second))).isPresent();
        assertThat(scene.store.size()).isEqualTo(1);
    }

    /** Accounts without a password all have the same stored hash. */
    @Test
    void refreshTokenOfADeletedAccount_isRejected_forALaterAccountOfItsName() {
        IssuedTokens former = scene.login();
        scene.now = scene.now.plusSeconds(60);
        scene.accounts.created = scene.now.minusSeconds(30);
        assertThat(scene.logins.refresh(text(former))).isEmpty();
        IssuedTokens later = scene.login();
        assertThat(scene.logins.refresh(text(later))).isPresent();
    }

    /** The clock of another node may be behind. Its token must not look older than a revocation before the login. */
    @Test
    void tokenOfARefresh_isIssuedAtTheRefresh_andNoEarlierThanTheLogin() {
        Instant begun = scene.now;
        String first = text(scene.login());
        scene.now = begun.plusSeconds(60);
        IssuedTokens second = scene.logins.refresh(first).orElseThrow();
        assertThat(issuedAt(second)).isEqualTo(begun.getEpochSecond() + 60);
        scene.now = begun.minusSeconds(10);
        IssuedTokens third = scene.logins.refresh(text(second)).orElseThrow();
        scene.now = begun;
        assertThat(issuedAt(third)).isEqualTo(begun.getEpochSecond());
    }

    /** The client then logs in again. With a token of the future, the client would only get rejections. */
    @Test
    void loginOfAClockThatWasFarAhead_isNotRefreshed_andNotEnded() {
        Instant begun = scene.now;
        String first = text(scene.login());
        RefreshToken token = RefreshToken.parse(first).orElseThrow();
        scene.now = begun.minusSeconds(61);
        assertThat(scene.logins.find(token, "")).isEmpty();
        assertThat(scene.logins.refresh(first)).isEmpty();
        scene.now = begun.minusSeconds(60);
        assertThat(scene.logins.find(token, "")).isPresent();
        assertThat(scene.logins.refresh(first)).isPresent();
    }

    private long issuedAt(IssuedTokens tokens) {
        return scene.verifier
                .verifyOrThrow(tokens.access().value())
                .issuedAt()
                .orElseThrow()
                .getEpochSecond();
    }

    /** Such a token would outlive its session, and would forget the account that acts with it. */
    @Test
    void accessToken_isNoLoginForFurtherTokens() {
        IssuedTokens tokens = scene.login();
        assertThat(scene.isAccepted(tokens)).isTrue();
        assertThat(scene.tryLogin(BearerToken.of(tokens.access().value()))).isEmpty();
    }

    @Test
    void tokenThatComesTwice_endsTheWholeLogin_andItsAccessTokens() {
        IssuedTokens stolen = scene.login();
        IssuedTokens other = scene.login();
        IssuedTokens thiefs = scene.logins.refresh(text(stolen)).orElseThrow();
        IssuedTokens thiefsNext = scene.logins.refresh(text(thiefs)).orElseThrow();
        assertThat(scene.isAccepted(thiefs)).isTrue();
        assertThat(scene.logins.refresh(text(stolen))).isEmpty();
        assertThat(scene.logins.refresh(text(thiefsNext))).isEmpty();
        for (IssuedTokens tokens : List.of(stolen, thiefs, thiefsNext)) {
            assertThat(scene.isAccepted(tokens)).isFalse();
        }
        assertThat(scene.isAccepted(other)).isTrue();
        assertThat(scene.logins.refresh(text(other))).isPresent();
    }

    @Test
    void idleLogin_endsAtItsIdleLifetime_andNotBefore() {
        IssuedTokens first = scene.login();
        scene.now = scene.now.plus(RefreshScene.IDLE).minusMillis(1);
        IssuedTokens second = scene.logins.refresh(text(first)).orElseThrow();
        scene.now = scene.now.plus(RefreshScene.IDLE);
        assertThat(scene.logins.refresh(text(second))).isEmpty();
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void busyLogin_endsAtItsAbsoluteLifetime_andNoAccessTokenOutlivesIt() {
        Instant end = scene.now.plus(RefreshScene.ABSOLUTE);
        IssuedTokens tokens = scene.login();
        while (scene.now.plus(RefreshScene.IDLE).isBefore(end)) {
            scene.now = scene.now.plus(RefreshScene.IDLE).minusSeconds(1);
            tokens = scene.logins.refresh(text(tokens)).orElseThrow();
        }
        scene.now = end.minusSeconds(10);
        tokens = scene.logins.refresh(text(tokens)).orElseThrow();
        assertThat(tokens.access().lifetime()).isEqualTo(Duration.ofSeconds(10));
        scene.now = end;
        assertThat(scene.logins.refresh(text(tokens))).isEmpty();
    }

    /** OpenID Connect Core 1.0, section 12.2: {@code auth_time} is of the first authentication, however often the login is refreshed. */
    @Test
    void timeOfALogin_isTheSameInAllItsTokens() {
        IssuedTokens first =
                (IssuedTokens) started(Factors.of(scene.now.plusSeconds(1), "pwd", "otp"), TokenOptions.defaults())
                        .orElseThrow();
        IssuedTokens second = scene.logins.refresh(text(first)).orElseThrow();
        assertThat(scene.verdictOf(first).factors().methods()).containsExactlyInAnyOrder("pwd", "otp");
        assertThat(scene.verdictOf(second).factors())
                .isEqualTo(scene.verdictOf(first).factors());
    }

    /** An HTTP session may keep a login for hours. Otherwise a thief of the session would have a fresh proof by a refresh. */
    @Test
    void oldProof_isOfItsTimeInTheFirstToken_andNoProofAfterARefresh() {
        Instant proved = scene.now.minus(Duration.ofHours(5));
        IssuedTokens first = (IssuedTokens) started(Factors.of(proved, "pwd", "otp"), TokenOptions.defaults())
                .orElseThrow();
        assertThat(scene.verdictOf(first).factors())
                .isEqualTo(Factors.of(proved.truncatedTo(ChronoUnit.SECONDS), "pwd", "otp"));
        IssuedTokens second = scene.logins.refresh(text(first)).orElseThrow();
        assertThat(scene.verdictOf(second).factors().methods()).isEmpty();
    }

    @Test
    void proofOfAnExtremeTime_startsASession() {
        for (Instant at : List.of(Instant.MIN, Instant.MAX)) {
            assertThat(started(Factors.of(at, "pwd"), TokenOptions.defaults())).isPresent();
        }
    }

    @Test
    void answerThatFails_startsNoSession() {
        TokenOptions failing = TokenOptions.defaults().withAnswer(tokens -> {
            throw new IllegalStateException("Simulated");
        });
        assertThatIllegalStateException().isThrownBy(() -> started(Factors.of(scene.now, "pwd"), failing));
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void answerThatCannotBeWritten_startsNoSession() {
        Map<String, Object> endless = new HashMap<>();
        endless.put("self", List.of(endless));
        for (Map<String, Object> fields : List.of(Map.<String, Object>of("access_token", "mine"), endless)) {
            TokenOptions failing = TokenOptions.defaults().withAnswer(tokens -> fields);
            assertThatIllegalArgumentException().isThrownBy(() -> started(Factors.of(scene.now, "pwd"), failing));
            assertThat(scene.store.size()).isZero();
        }
    }

    @Test
    void sessionLifetimeWithoutAnEnd_isThatOfTheSettings() {
        TokenOptions forever = TokenOptions.defaults().withSessionLifetime(ChronoUnit.FOREVER.getDuration());
        assertThat(started(Factors.of(scene.now, "pwd"), forever)).isPresent();
    }

    private Optional<LoginOutcome> started(Factors factors, TokenOptions options) {
        Authenticated verdict =
                (Authenticated) scene.plugins.authenticate(new PasswordCredentials("alice", Secret.of("secret")));
        return scene.logins.start(
                verdict.withFactors(factors),
                Secret.of(scene.accounts.stamp),
                scene.now,
                RequestContext.none(),
                options);
    }

    /** A directory's user, for example, gets an account at the first login. A database may round the time up. */
    @Test
    void loginThatCreatesItsAccount_canBeRefreshed() {
        scene.accounts.created = scene.now.plusMillis(900);
        assertThat(scene.logins.refresh(text(scene.login()))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void malformedRefreshToken_isRefused(String token) {
        assertThat(scene.logins.refresh(token)).isEmpty();
        assertThat(RefreshToken.parse(token + "=")).isEmpty();
        assertThat(RefreshToken.parse(token + "\u00e9")).isEmpty();
    }

    @Test
    void forgedTokenOfAKnownLogin_endsThatLoginOnly() {
        String token = text(scene.login());
        String forged = token.substring(0, 40) + "A".repeat(24);
        assertThat(scene.logins.refresh(forged)).isEmpty();
        assertThat(scene.logins.refresh(token)).isEmpty();
    }

    @Test
    void logout_endsTheLoginByEitherToken() {
        TokenRevocation revocation = scene.revocation;
        IssuedTokens one = scene.login();
        revocation.revoke(one.access().value());
        IssuedTokens two = scene.login();
        revocation.revoke(text(two));
        for (IssuedTokens tokens : List.of(one, two)) {
            assertThat(scene.isAccepted(tokens)).isFalse();
            assertThat(scene.logins.refresh(text(tokens))).isEmpty();
        }
        assertThat(revocation.revoke(one.access().value() + "x")).isEqualTo(Outcome.UNKNOWN);
        assertThat(revocation.revoke("\ud800")).isEqualTo(Outcome.UNKNOWN);
    }
}
