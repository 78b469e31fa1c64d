package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Access;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.InMemoryRevocationStore;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CachingAuthPluginTest {

    private static final Duration EXPIRY = Duration.ofMinutes(1);

    private final TestTime time = new TestTime();
    private final CredentialCache cache = time.cache();
    private final FakePlugin remote = new FakePlugin(time, new InMemoryRevocationStore(Duration.ofHours(1)));
    private final CachingAuthPlugin plugin =
            CachingAuthPlugin.around(remote, cache, EXPIRY).withClock(time);

    @Test
    void rightPassword_isAskedOnceAndAnswersWithItsVerdict() {
        Decision first = login(FakePlugin.PASSWORD);
        assertThat(login(FakePlugin.PASSWORD)).isEqualTo(first).isEqualTo(Authenticated.as(remote.subject));
        assertThat(remote.asked).hasValue(1);
    }

    @Test
    void kindsThatThePluginSupports_areThoseOfTheCache() {
        assertThat(plugin.supports(BearerToken.class)).isTrue();
        assertThat(plugin.supports(OtherKind.class)).isFalse();
    }

    private record OtherKind() implements Credentials {}

    /** A method that the interface gains has a default, which would answer here in the plugin's place. */
    @Test
    void everyMethodOfAPlugin_isPassedOn() {
        assertThat(AuthPlugin.class.getMethods())
                .allSatisfy(method -> assertThat(CachingAuthPlugin.class
                                .getMethod(method.getName(), method.getParameterTypes())
                                .getDeclaringClass())
                        .as(method.toString())
                        .isEqualTo(CachingAuthPlugin.class));
    }

    @Test
    void rejectionsAndAbstentions_areAskedEachTime() {
        for (int i = 0; i < 3; i++) {
            assertThat(login("wrong")).isInstanceOf(Rejected.class);
            assertThat(plugin.authenticate(new PasswordCredentials("nobody", Secret.of("x"))))
                    .isInstanceOf(Rejected.class);
        }
        assertThat(remote.asked).hasValue(6);
        assertThat(cache.stats().size()).isZero();
    }

    // Counted from the question: what the service looked at may be as old as that. No use prolongs it.
    @Test
    void entryInSteadyUse_endsTheExpiryAfterItsQuestion() {
        login(FakePlugin.PASSWORD);
        time.pass(EXPIRY.minus(FakeEncoder.COST).minusNanos(1));
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(1);
        time.pass(Duration.ofNanos(1));
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(2);
    }

    @Test
    void validUntilOfTheVerdict_endsTheEntryBeforeItsExpiry() {
        remote.validUntil = TestTime.START.plusSeconds(10);
        login(FakePlugin.PASSWORD);
        time.pass(Duration.ofSeconds(10).minus(FakeEncoder.COST).minusNanos(1));
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(1);
        time.pass(Duration.ofNanos(1));
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(2);
    }

    @Test
    void verdictThatIsOverAlready_isAnsweredAndNotStored() {
        for (Instant over :
                List.of(Instant.MIN, Instant.EPOCH, TestTime.START, TestTime.START.plus(FakeEncoder.COST))) {
            remote.validUntil = over;
            assertThat(login(FakePlugin.PASSWORD)).isEqualTo(new Authenticated(remote.subject, over));
        }
        assertThat(remote.asked).hasValue(4);
        assertThat(cache.stats().stored()).isZero();
        remote.validUntil = time.instant().plus(FakeEncoder.COST).plusNanos(1);
        login(FakePlugin.PASSWORD);
        assertThat(cache.stats().stored()).isEqualTo(1);
    }

    @Test
    void answerThatTookLongerThanTheExpiry_isNotStored() {
        remote.beforeAnswer = () -> time.pass(EXPIRY);
        assertThat(login(FakePlugin.PASSWORD)).isInstanceOf(Authenticated.class);
        assertThat(cache.stats().stored()).isZero();
        assertThat(cache.stats().notStored()).isEqualTo(1);
    }

    @Test
    void clockAtTheEndOfTime_isNoError() {
        CachingAuthPlugin late = plugin.withClock(() -> Instant.MAX);
        remote.validUntil = Instant.MAX;
        assertThat(late.authenticate(ada(FakePlugin.PASSWORD))).isInstanceOf(Authenticated.class);
        CachingAuthPlugin early = plugin.withClock(() -> Instant.MIN);
        assertThat(early.authenticate(ada(FakePlugin.PASSWORD))).isInstanceOf(Authenticated.class);
    }

    @Test
    void entryOutOfRange_isRefusedWhenItIsMade() {
        CredentialDigest digest = new CredentialDigest(1, 2, 3, 4);
        Authenticated verdict = Authenticated.as(remote.subject);
        for (long lifetime :
                new long[] {Long.MIN_VALUE, -1, 0, Duration.ofHours(24).toNanos() + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> CachedVerdict.of(digest, verdict, 5, lifetime))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Long.toString(lifetime));
        }
        CachedVerdict shortest = CachedVerdict.of(digest, verdict, 5, 1);
        assertThat(shortest.deadline()).isEqualTo(6);
        assertThat(shortest.isOver(5, 100)).isFalse();
        assertThat(CachedVerdict.of(digest, verdict, 5, Duration.ofHours(24).toNanos())
                        .verdict())
                .isEqualTo(verdict);
    }

    @Test
    void changedVersion_isAMissAtOnce() {
        AtomicReference<String> version = new AtomicReference<>("1");
        CachingAuthPlugin versioned = plugin.withCredentialVersion(username -> version.get());
        versioned.authenticate(ada(FakePlugin.PASSWORD));
        remote.password = "changed";
        assertThat(versioned.authenticate(ada(FakePlugin.PASSWORD))).isInstanceOf(Authenticated.class);
        version.set("2");
        assertThat(versioned.authenticate(ada(FakePlugin.PASSWORD))).isInstanceOf(Rejected.class);
    }

    @Test
    void outage_isNeverStored() {
        remote.beforeAnswer = () -> {
            throw AuthUnavailableException.outage("down");
        };
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> login(FakePlugin.PASSWORD)).isInstanceOf(AuthUnavailableException.class);
        }
        remote.beforeAnswer = () -> {};
        assertThat(login(FakePlugin.PASSWORD)).isInstanceOf(Authenticated.class);
        assertThat(remote.asked).hasValue(3);
    }

    @Test
    void evictedUserName_isAskedAgain() {
        login(FakePlugin.PASSWORD);
        assertThat(cache.evictUsername("ada")).isEqualTo(1);
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(2);
    }

    @Test
    void revokedSubject_isAskedAgainAndWhatIsOnItsWayIsNotStored() {
        login(FakePlugin.PASSWORD);
        plugin.revokeAll("another", time.instant());
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(1);
        plugin.revokeAll(remote.subject.id(), time.instant());
        remote.beforeAnswer = () -> plugin.revokeAll(remote.subject.id(), time.instant());
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(2);
        assertThat(cache.stats().size()).isZero();
    }

    // C6, by another door: whoever may log out with a name and any password must not evict that account.
    @Test
    void revocationThatProvesNothing_evictsNothing() {
        login(FakePlugin.PASSWORD);
        assertThat(plugin.revoke(ada("wrong"))).isFalse();
        assertThat(cache.stats().size()).isEqualTo(1);
    }

    @Test
    void twoPlugins_doNotShareEntries() {
        login(FakePlugin.PASSWORD);
        FakePlugin other = new FakePlugin(time, new InMemoryRevocationStore(Duration.ofHours(1)));
        other.password = "other";
        assertThat(CachingAuthPlugin.around(other, cache, EXPIRY).authenticate(ada(FakePlugin.PASSWORD)))
                .isInstanceOf(Rejected.class);
    }

    @Test
    void closedPlugin_authenticatesNobody() {
        login(FakePlugin.PASSWORD);
        plugin.close();
        assertThat(login(FakePlugin.PASSWORD)).isInstanceOf(Rejected.class);
    }

    @Test
    void allElse_isThePluginsOwn() {
        assertThat(plugin.name()).isEqualTo("fake");
        assertThat(plugin.delegate()).isSameAs(remote);
        assertThat(plugin.authorize(Subject.of("x"), new Permission("r", "a"))).isEqualTo(Access.ABSTAINED);
        assertThat(plugin.read(name -> List.of())).isEmpty();
        plugin.authenticate(BearerToken.of(FakePlugin.TOKEN));
        plugin.authenticate(BearerToken.of(FakePlugin.TOKEN));
        assertThat(remote.asked).hasValue(2);
    }

    @Test
    void longPassword_isThePluginsOwn() {
        login("x".repeat(4_097));
        assertThat(cache.stats().misses()).isZero();
    }

    @Test
    void expiryOutOfRange_isRefused() {
        for (Duration expiry : List.of(
                Duration.ZERO, Duration.ofSeconds(-1), Duration.ofMinutes(15).plusNanos(1))) {
            assertThatThrownBy(() -> CachingAuthPlugin.around(remote, cache, expiry))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("PT15M");
        }
    }

    private Decision login(String password) {
        return plugin.authenticate(ada(password));
    }

    private static PasswordCredentials ada(String password) {
        return new PasswordCredentials("ada", Secret.of(password));
    }
}
