package dev.latchkey.auth.spring.login;

import static dev.latchkey.auth.spring.login.RefreshScene.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.login.TokenRevocation.Outcome;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.StoreTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Logging out while a store is down: what can be recorded is, and the same request later does the rest. */
class RevokedLoginsTest {

    private final RefreshScene scene = new RefreshScene();

    @Test
    void logoutWhileTheStoreOfLoginsIsDown_endsTheAccessToken_andTheNextOneEndsTheLogin() {
        IssuedTokens tokens = scene.login();
        scene.loginsAreDown = true;
        assertOutage(tokens.access().value());
        assertThat(scene.isAccepted(tokens)).isFalse();
        scene.loginsAreDown = false;
        scene.revocation.revoke(tokens.access().value());
        assertThat(scene.isAccepted(tokens)).isFalse();
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void loginThatCannotBeForgottenNow_losesAllItsAccessTokensAtOnce() {
        IssuedTokens first = scene.login();
        IssuedTokens second = scene.logins.refresh(text(first)).orElseThrow();
        scene.loginsCannotBeWritten = true;
        assertOutage(text(second));
        assertThat(scene.isAccepted(first)).isFalse();
        assertThat(scene.isAccepted(second)).isFalse();
        scene.loginsCannotBeWritten = false;
        scene.revocation.revoke(text(second));
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void loginThatWasEndedAndIsStillKept_isNotProlonged() {
        IssuedTokens tokens = scene.login();
        scene.loginsCannotBeWritten = true;
        assertOutage(tokens.access().value());
        scene.loginsCannotBeWritten = false;
        assertThat(scene.logins.refresh(text(tokens))).isEmpty();
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void logoutWhileRevocationsCannotBeRecorded_isWholeTheNextTime_byEitherToken() {
        IssuedTokens one = scene.login();
        IssuedTokens two = scene.login();
        scene.revocationsAreDown = true;
        assertOutage(text(one));
        assertOutage(two.access().value());
        scene.revocationsAreDown = false;
        scene.revocation.revoke(text(one));
        scene.revocation.revoke(two.access().value());
        assertThat(scene.isAccepted(one)).isFalse();
        assertThat(scene.isAccepted(two)).isFalse();
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void logout_recordsTheTokenOnce_withinTheTimeOfItsRequest() {
        IssuedTokens tokens = scene.login();
        List<String> calls = new ArrayList<>();
        scene.beforeRevocationsAreAsked = calls::add;
        scene.given.clear();
        scene.revocation.revoke(tokens.access().value());
        assertThat(calls)
                .filteredOn(call -> call.startsWith("revoke"))
                .as("the token and its session")
                .hasSize(2);
        assertThat(scene.given)
                .filteredOn(time -> time.compareTo(StoreTime.OF_A_REQUEST) > 0)
                .isEmpty();
    }

    @Test
    void logoutWhereNoPluginReadsTokens_andNoLoginIsProlonged_isRecordedAllTheSame() {
        IssuedTokens tokens = scene.login();
        TokenRevocation alone =
                new TokenRevocation(AuthChain.of(scene.accounts), scene.accessTokens, null, RefreshScene.ABSOLUTE);
        alone.revoke(tokens.access().value());
        assertThat(scene.isAccepted(tokens)).isFalse();
    }

    /** Both nodes have one store: a rolling update to refresh tokens, or services that accept each other's tokens. */
    @Test
    void logoutAtANodeWithoutRefreshTokens_endsTheSessionOfTheOtherNode() {
        IssuedTokens tokens = scene.login();
        IssuedTokens other = scene.login();
        IssuedTokens next = scene.logins.refresh(text(tokens)).orElseThrow();
        TokenRevocation without = new TokenRevocation(scene.plugins, scene.accessTokens, null, RefreshScene.ABSOLUTE);
        without.revoke(tokens.access().value());
        assertThat(scene.isAccepted(next)).isFalse();
        scene.now = scene.now.plus(RefreshScene.IDLE).minusSeconds(1);
        scene.account.revokeAll("another");
        assertThat(scene.logins.refresh(text(next))).isEmpty();
        assertThat(scene.logins.refresh(text(other))).isPresent();
    }

    @Test
    void logoutAtANodeWhoseClockIsBehind_isRecorded_thoughTheTokenIsNotGoodThereYet() {
        IssuedTokens tokens = scene.login();
        Instant issued = scene.now;
        scene.now = issued.minusSeconds(240);
        scene.revocation.revoke(tokens.access().value());
        scene.now = issued;
        assertThat(scene.isAccepted(tokens)).isFalse();
        assertThat(scene.logins.refresh(text(tokens))).isEmpty();
    }

    @Test
    void logoutAtANodeWhoseClockIsAhead_isRecorded_thoughTheTokenIsOverThere() {
        IssuedTokens tokens = scene.login();
        Instant last = scene.now.plus(tokens.access().lifetime()).minusSeconds(1);
        scene.now = last.plusSeconds(240);
        scene.revocation.revoke(tokens.access().value());
        scene.now = last;
        assertThat(scene.isAccepted(tokens)).isFalse();
        assertThat(scene.logins.refresh(text(tokens))).isEmpty();
    }

    @Test
    void logoutWithATokenThatIsOverOnEveryNode_endsNothing() {
        IssuedTokens tokens = scene.login();
        scene.now = scene.now.plus(tokens.access().lifetime()).plus(LatchkeyProperties.SKEW_ALLOWANCE);
        assertThat(scene.revocation.revoke(tokens.access().value())).isEqualTo(Outcome.UNKNOWN);
        assertThat(scene.logins.refresh(text(tokens))).isPresent();
    }

    @Test
    void logoutWhileAPluginIsDown_isAnOutage_andTheLoginIsOverAllTheSame() {
        CredentialsRevoker down = new Down();
        IssuedTokens tokens = scene.login();
        TokenRevocation revocation =
                new TokenRevocation(AuthChain.of(down), scene.accessTokens, scene.logins, RefreshScene.ABSOLUTE);
        assertThatThrownBy(() -> revocation.revoke(tokens.access().value()))
                .isInstanceOf(AuthUnavailableException.class);
        assertThat(scene.isAccepted(tokens)).isFalse();
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void logoutTwice_isTheSameAsOnce() {
        IssuedTokens tokens = scene.login();
        scene.revocation.revoke(tokens.access().value());
        int remembered = scene.revoked.size();
        assertThat(scene.revocation.revoke(tokens.access().value())).isEqualTo(Outcome.DONE);
        assertThat(scene.revocation.revoke(text(tokens))).isEqualTo(Outcome.DONE);
        assertThat(scene.revoked.size()).isEqualTo(remembered);
    }

    @Test
    void tokenOfAPluginInTheFormOfARefreshToken_isRevokedByThePlugin_once() {
        String token = "0123456789abcdef".repeat(4);
        List<String> valid = new ArrayList<>(List.of(token));
        RefreshScene service = new RefreshScene(new Opaque(valid));
        for (int time = 1; time <= 2; time++) {
            assertThat(service.revocation.revoke(token)).isEqualTo(Outcome.DONE);
            assertThat(valid).isEmpty();
        }
    }

    @Test
    void subjectThatLogsInAndOutAgainAndAgain_takesUpABoundedRoom() {
        for (int i = 0; i < 600; i++) {
            scene.now = Instant.now();
            IssuedTokens tokens = scene.login();
            scene.revocation.revoke(tokens.access().value());
            assertThat(scene.isAccepted(tokens)).isFalse();
        }
        assertThat(scene.revoked.size()).isLessThanOrEqualTo(1_001);
    }

    private void assertOutage(String token) {
        assertThatThrownBy(() -> scene.revocation.revoke(token)).isInstanceOf(AuthUnavailableException.class);
    }

    /** Revokes tokens of any form. */
    private record Opaque(List<String> valid) implements CredentialsRevoker {

        @Override
        public String name() {
            return "opaque";
        }

        @Override
        public boolean revoke(Credentials credentials) {
            return credentials instanceof BearerToken bearer
                    && valid.remove(bearer.token().<String>withText(CharSequence::toString));
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            return false;
        }
    }

    private record Down() implements CredentialsRevoker {

        @Override
        public String name() {
            return "down";
        }

        @Override
        public boolean revoke(Credentials credentials) {
            throw AuthUnavailableException.outage("connection refused");
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            throw AuthUnavailableException.outage("connection refused");
        }
    }
}
