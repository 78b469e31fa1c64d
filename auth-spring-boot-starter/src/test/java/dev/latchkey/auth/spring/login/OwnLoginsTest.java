package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sessions that the bearer of an access token sees and may end. */
class OwnLoginsTest {

    private final RefreshScene scene = new RefreshScene(List.of("latchkey.login.logins.record-address=true"));
    private final OwnLogins own = new OwnLogins(scene.accessTokens::read, scene.account);
    private IssuedTokens present;

    @BeforeEach
    void logIn() {
        scene.device = "phone";
        present = scene.login();
    }

    @Test
    void list_isOfAllLogins_theNewestFirst_andSaysWhichIsThePresentOne() {
        scene.device = "desktop";
        scene.now = scene.now.plusSeconds(9);
        IssuedTokens other = scene.login();
        OwnLogins.Bearer bearer = bearer(present);
        assertThat(bearer.logins()).extracting(login -> login.device().name()).containsExactly("desktop", "phone");
        assertThat(bearer.logins()).extracting(bearer::isPresent).containsExactly(false, true);
        assertThat(bearer(other).logins()).isEqualTo(bearer.logins());
        assertThat(bearer.logins().get(0).device().address()).isEqualTo("192.0.2.7");
    }

    @Test
    void refreshedLogin_isTheSameOne_onTheSameDevice_withAnotherLastUse() {
        String id = bearer(present).logins().get(0).id();
        scene.now = scene.now.plusSeconds(60);
        scene.device = "desktop";
        IssuedTokens next = scene.logins.refresh(RefreshScene.text(present)).orElseThrow();
        StoredLogin login = bearer(next).logins().get(0);
        assertThat(login.id()).isEqualTo(id);
        assertThat(login.device().name()).isEqualTo("phone");
        assertThat(login.lastUsedAt()).isEqualTo(scene.now);
        assertThat(login.startedAt()).isEqualTo(scene.now.minusSeconds(60));
    }

    @Test
    void tokenBoundToAKey_showsNothing() {
        String session = bearer(present).logins().get(0).id();
        JwtClaims claims = JwtClaims.forSubject("alice", Duration.ofMinutes(1)).with("sid", session);
        assertThat(own.bearerOf(scene.signer.sign(claims))).isPresent();
        assertThat(own.bearerOf(scene.signer.sign(claims.with("cnf", Map.of("jkt", "x")))))
                .isEmpty();
    }

    @Test
    void endedLogin_hasNoGoodToken_andIsNotListed() {
        IssuedTokens other = scene.login();
        String id = bearer(present).logins().get(0).id();
        assertThat(bearer(present).end(id)).isTrue();
        assertThat(scene.isAccepted(other)).isFalse();
        assertThat(scene.logins.refresh(RefreshScene.text(other))).isEmpty();
        assertThat(scene.isAccepted(present)).isTrue();
        assertThat(bearer(present).logins()).hasSize(1);
        assertThat(bearer(present).end(id)).isFalse();
        assertThat(scene.events).containsExactly("alice OWNER");
    }

    @Test
    void presentLogin_mayBeEnded_andThenItsTokenIsNoneAnyMore() {
        String id = bearer(present).logins().get(0).id();
        assertThat(bearer(present).end(id)).isTrue();
        assertThat(own.bearerOf(present.access().value())).isEmpty();
    }

    @Test
    void loginsOfOthers_areNeitherListedNorEnded_alsoWhereTheyHaveTheSameName() {
        StoredLogin namesakes = started('n', "ldap", "ldap:alice");
        StoredLogin bobs = started('b', "accounts", "bob");
        assertThat(bearer(present).logins()).hasSize(1).doesNotContain(namesakes, bobs);
        for (StoredLogin login : List.of(namesakes, bobs)) {
            assertThat(bearer(present).end(login.id())).isFalse();
            assertThat(scene.store.find(login.id())).isPresent();
        }
        assertThat(scene.events).isEmpty();
    }

    @Test
    void malformedId_endsNothing_andReachesNoStore() {
        String id = bearer(present).logins().get(0).id();
        scene.loginsAreDown = true;
        // Down as it is, the store would answer an outage if it were asked.
        for (String hostile :
                List.of("", "x", id + "x", id.substring(1), "\0".repeat(43), "é".repeat(43), "=".repeat(43))) {
            assertThat(scene.account.find(hostile)).isEmpty();
        }
    }

    @Test
    void id_isNoCredential() {
        String id = bearer(present).logins().get(0).id();
        assertThat(own.bearerOf(id)).isEmpty();
        assertThat(scene.logins.refresh(id)).isEmpty();
        scene.revocation.revoke(id);
        assertThat(scene.isAccepted(present)).isTrue();
        assertThat(RefreshScene.text(present)).doesNotContain(id);
        assertThat(scene.plugins.authenticate(BearerToken.of(id)).toString()).contains("Rejected");
    }

    @Test
    void tokenThatIsNotGood_isNobodys() {
        assertThat(own.bearerOf("")).isEmpty();
        assertThat(own.bearerOf("a.b.c")).isEmpty();
        scene.revocation.revoke(present.access().value());
        assertThat(own.bearerOf(present.access().value())).isEmpty();
        IssuedTokens expired = scene.login();
        scene.now = scene.now.plus(Duration.ofHours(2));
        assertThat(own.bearerOf(expired.access().value())).isEmpty();
    }

    @Test
    void tokenOfALoginThatIsNotKept_seesNoneAndEndsNone() {
        scene.accounts.known = false;
        IssuedTokens alone = scene.login();
        assertThat(alone.refresh()).isEmpty();
        String id = bearer(present).logins().get(0).id();
        assertThat(bearer(alone).logins()).isEmpty();
        assertThat(bearer(alone).end(id)).isFalse();
        scene.store.end(id);
        assertThat(bearer(present).logins()).isEmpty();
    }

    @Test
    void tokenThatNamesTheLoginOfAnotherSubject_seesNoneAndEndsNone() {
        String id = bearer(present).logins().get(0).id();
        OwnLogins.Bearer bob = own.bearerOf(scene.signer.sign(
                        JwtClaims.forSubject("bob", Duration.ofMinutes(1)).with(JwtRevocations.SESSION_CLAIM, id)))
                .orElseThrow();
        assertThat(bob.logins()).isEmpty();
        assertThat(bob.end(id)).isFalse();
    }

    @Test
    void tokenToActAsTheOwner_seesNoneAndEndsNone_whateverItsSession() {
        String id = bearer(present).logins().get(0).id();
        OwnLogins.Bearer acting = own.bearerOf(scene.signer.sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1))
                        .with(JwtRevocations.SESSION_CLAIM, id)
                        .with(Subject.ACTOR_CLAIM, Map.of("sub", "support"))))
                .orElseThrow();
        assertThat(acting.actor()).hasValue("support");
        assertThat(acting.logins()).isEmpty();
        assertThat(acting.end(id)).isFalse();
        assertThat(bearer(present).actor()).isEmpty();
    }

    @Test
    void list_isBounded() {
        for (int i = 0; i < 60; i++) {
            scene.login();
        }
        IssuedTokens last = scene.login();
        assertThat(bearer(last).logins()).hasSize(50);
    }

    private OwnLogins.Bearer bearer(IssuedTokens tokens) {
        return own.bearerOf(tokens.access().value()).orElseThrow();
    }

    private StoredLogin started(char id, String plugin, String subject) {
        Instant end = scene.now.plus(Duration.ofDays(1));
        StoredLogin login = new StoredLogin(
                String.valueOf(id).repeat(43), plugin, subject, "1", "", Set.of(), scene.now, end, end, null);
        scene.store.start(login);
        return login;
    }
}
