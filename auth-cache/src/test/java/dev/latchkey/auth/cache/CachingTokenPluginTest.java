package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Access;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.InMemoryRevocationStore;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** C15: bound to {@code exp}, to the key ring, to revocation; values immutable. */
class CachingTokenPluginTest {

    private final TestTime time = new TestTime();
    private final CredentialCache cache = time.cache();
    private final AtomicLong ring = new AtomicLong(1);
    private final RevocationStore revocations = new InMemoryRevocationStore(Duration.ofDays(3650));
    private final FakePlugin verifier = new FakePlugin(time, revocations);
    private final CachingTokenPlugin plugin = CachingTokenPlugin.around(
                    verifier, cache, ring::get, revocations, FakePlugin::idsOf)
            .withClock(time);

    @Test
    void verifiedToken_isVerifiedOnce() {
        Decision first = present();
        assertThat(present()).isEqualTo(first).isInstanceOf(Authenticated.class);
        assertThat(verifier.asked).hasValue(1);
    }

    @Test
    void refusedToken_isVerifiedEachTime() {
        for (int i = 0; i < 3; i++) {
            assertThat(plugin.authenticate(BearerToken.of("forged"))).isInstanceOf(Rejected.class);
        }
        assertThat(verifier.asked).hasValue(3);
        assertThat(cache.stats().size()).isZero();
    }

    @Test
    void expiredToken_isNoHitFromItsExpOn() {
        verifier.validUntil = TestTime.START.plusSeconds(60);
        present();
        time.pass(Duration.ofSeconds(60).minus(FakeEncoder.COST).minusNanos(1));
        present();
        assertThat(verifier.asked).hasValue(1);
        time.pass(Duration.ofNanos(1));
        present();
        assertThat(verifier.asked).hasValue(2);
    }

    @Test
    void replacedKeyRing_isAskedAgain() {
        present();
        ring.incrementAndGet();
        present();
        present();
        assertThat(verifier.asked).hasValue(2);
    }

    // The entry is bound to the ring that was there when verification began: what changes meanwhile makes it void.
    @Test
    void keyRingReplacedDuringVerification_isAskedAgain() {
        verifier.beforeAnswer = ring::incrementAndGet;
        present();
        verifier.beforeAnswer = () -> {};
        present();
        assertThat(verifier.asked).hasValue(2);
    }

    @Test
    void revokedToken_isRefusedOnTheNextRequest() {
        present();
        assertThat(plugin.revoke(BearerToken.of(FakePlugin.TOKEN))).isTrue();
        assertThat(present()).isInstanceOf(Rejected.class);
    }

    @Test
    void tokenRevokedOnAnotherNode_isRefusedOnTheNextRequest() {
        present();
        revocations.revokeToken("id-of-ada", Instant.MAX);
        assertThat(present()).isInstanceOf(Rejected.class);
    }

    @Test
    void tokenOfALoginThatWasEnded_isRefusedOnTheNextRequest() {
        present();
        revocations.revokeToken("login-of-ada", Instant.MAX);
        assertThat(present()).isInstanceOf(Rejected.class);
    }

    @Test
    void tokenOfARevokedSubject_isRefusedOnTheNextRequest() {
        present();
        plugin.revokeAll(verifier.subject.id(), time.instant());
        assertThat(present()).isInstanceOf(Rejected.class);
    }

    @Test
    void tokenIssuedAfterTheRevocation_isVerifiedAgainAndThenHits() {
        revocations.revokeSubject(verifier.subject.id(), TestTime.START.minusSeconds(60));
        assertThat(present()).isInstanceOf(Authenticated.class);
        int asked = verifier.asked.get();
        assertThat(present()).isInstanceOf(Authenticated.class);
        assertThat(verifier.asked).hasValue(asked);
    }

    // The bound may be set after the token was verified and before it is read: only a later verdict is known to heed
    // it.
    @Test
    void subjectRevokedDuringVerification_isNotStored() {
        FakePlugin slow = new FakePlugin(time, revocations);
        RevocationStore setMeanwhile = new RevokingWhenAsked(revocations, slow.subject.id(), time.instant());
        CachingTokenPlugin raced = CachingTokenPlugin.around(slow, cache, ring::get, setMeanwhile, FakePlugin::idsOf);
        assertThat(raced.authenticate(BearerToken.of(FakePlugin.TOKEN))).isInstanceOf(Authenticated.class);
        assertThat(cache.stats().size()).isZero();
        assertThat(raced.authenticate(BearerToken.of(FakePlugin.TOKEN))).isInstanceOf(Rejected.class);
    }

    @Test
    void subjectOfAHit_cannotBeChangedByItsReader() {
        Authenticated first = (Authenticated) present();
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> first.subject().authorities().add("ROLE_ADMIN"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(present()).isEqualTo(first);
    }

    @Test
    void closedPlugin_authenticatesNobody() {
        present();
        plugin.close();
        assertThat(present()).isInstanceOf(Rejected.class);
    }

    @Test
    void allElse_isThePluginsOwn() {
        assertThat(plugin.name()).isEqualTo("fake");
        assertThat(plugin.delegate()).isSameAs(verifier);
        assertThat(plugin.authorize(Subject.of("x"), new Permission("r", "a"))).isEqualTo(Access.ABSTAINED);
        assertThat(plugin.read(name -> List.of())).isEmpty();
        PasswordCredentials login = new PasswordCredentials("ada", Secret.of(FakePlugin.PASSWORD));
        plugin.authenticate(login);
        plugin.authenticate(login);
        assertThat(verifier.asked).hasValue(2);
    }

    private Decision present() {
        return plugin.authenticate(BearerToken.of(FakePlugin.TOKEN));
    }

    /** Revokes the subject just before its bound is read for the first time. */
    private record RevokingWhenAsked(RevocationStore store, String subjectId, Instant notBefore)
            implements RevocationStore {

        @Override
        public void revokeToken(String tokenId, Instant expiresAt) {
            store.revokeToken(tokenId, expiresAt);
        }

        @Override
        public void revokeSubject(String subject, Instant bound) {
            store.revokeSubject(subject, bound);
        }

        @Override
        public Instant notBefore(String subject) {
            store.revokeSubject(subjectId, notBefore);
            return store.notBefore(subject);
        }

        @Override
        public boolean isTokenRevoked(String tokenId) {
            return store.isTokenRevoked(tokenId);
        }
    }
}
