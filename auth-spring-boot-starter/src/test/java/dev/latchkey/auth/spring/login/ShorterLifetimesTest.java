package dev.latchkey.auth.spring.login;

import static dev.latchkey.auth.spring.login.RefreshScene.propertiesOf;
import static dev.latchkey.auth.spring.login.RefreshScene.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.account.LoginListener;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node with shorter lifetimes than the tokens and sessions in use: revocations must last as long as these. */
class ShorterLifetimesTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = START;

    private InMemoryRevocationStore storeOf(LatchkeyProperties properties) {
        return new InMemoryRevocationStore(properties.longestLifetime(), () -> now);
    }

    @Test
    void endOfASession_lastsAsLongAsATokenOfTheDefaultLifetime() {
        LatchkeyProperties minutes = propertiesOf(List.of("latchkey.jwt.lifetime=1m"));
        assertThat(endLasts(minutes, Duration.ofMinutes(64))).isTrue();
        assertThat(endLasts(minutes, Duration.ofMinutes(70))).isFalse();
    }

    @Test
    void endOfASession_lastsForTheMaximumLifetime() {
        LatchkeyProperties former = propertiesOf(List.of("latchkey.jwt.lifetime=1m", "latchkey.jwt.max-lifetime=12h"));
        assertThat(endLasts(former, Duration.ofHours(12))).isTrue();
    }

    private boolean endLasts(LatchkeyProperties properties, Duration time) {
        now = START;
        InMemoryRevocationStore revocations = storeOf(properties);
        AccountLogins logins =
                AccountLogins.of(new InMemoryLoginStore(10), revocations, properties, null, null, List.of(), () -> now);
        logins.end("a session", "alice", LoginListener.Cause.OWNER);
        pass(time, revocations);
        return revocations.isTokenRevoked("a session");
    }

    /** A further revocation removes what has expired. */
    private void pass(Duration time, InMemoryRevocationStore revocations) {
        now = START.plus(time);
        revocations.revokeSubject("another", now);
    }

    @Test
    void revocationOfASubject_lastsFor30DaysAtLeast() {
        InMemoryRevocationStore revocations = storeOf(propertiesOf(List.of(
                "latchkey.jwt.lifetime=1m",
                "latchkey.login.refresh.lifetime=1d",
                "latchkey.login.refresh.idle-lifetime=1d")));
        revocations.revokeSubject("alice", START);
        pass(Duration.ofDays(30), revocations);
        assertThat(revocations.isSubjectRevoked("alice", START)).isTrue();
    }

    @Test
    void sessionOfALongerLifetime_endsAtThePresentLifetime() {
        RefreshScene scene = new RefreshScene();
        RefreshableLogins shorter = RefreshableLogins.in(
                scene.loginStore,
                scene.account,
                scene.plugins,
                scene.accessTokens,
                propertiesOf(List.of("latchkey.login.refresh.lifetime=2d", "latchkey.login.refresh.idle-lifetime=2d"))
                        .login()
                        .refresh(),
                () -> scene.now);
        IssuedTokens first = scene.login();
        IssuedTokens other = scene.login();
        scene.now = scene.now.plus(Duration.ofDays(2)).minusMillis(1);
        assertThat(shorter.refresh(text(first))).isPresent();
        scene.now = scene.now.plusMillis(1);
        assertThat(shorter.refresh(text(other))).isEmpty();
    }
}
