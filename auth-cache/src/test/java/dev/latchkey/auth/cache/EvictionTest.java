package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Scheduler;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EvictionTest {

    private final TestTime time = new TestTime();
    private final FakeEncoder fake = new FakeEncoder(time);
    private final CredentialCache cache = time.cache();
    private final CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);

    // OpenSearch cleared everything when one account changed.
    @Test
    void evictedAccount_isTheOnlyOneToHashAgain() {
        for (int i = 0; i < 1_000; i++) {
            login(i);
        }
        fake.checks.set(0);
        assertThat(cache.evictStoredHash(fake.encode("p500"))).isEqualTo(1);
        for (int i = 0; i < 1_000; i++) {
            login(i);
        }
        assertThat(fake.checks).hasValue(1);
    }

    @Test
    void evictedAccount_isForgottenByEveryEncoderOfTheCache() {
        CachingPasswordEncoder second = CachingPasswordEncoder.around(fake, cache);
        login(1);
        second.matches("p1", fake.encode("p1"));
        assertThat(cache.evictStoredHash(fake.encode("p1"))).isEqualTo(2);
        fake.checks.set(0);
        second.matches("p1", fake.encode("p1"));
        login(1);
        assertThat(fake.checks).hasValue(2);
    }

    @Test
    void evictionOfAnUnknownHash_changesNothing() {
        login(1);
        assertThat(cache.evictStoredHash("unknown")).isZero();
        assertThat(cache.stats().size()).isEqualTo(1);
    }

    @Test
    void userNameThatReadsAsAStoredHash_isNotThatHash() {
        FakePlugin remote = new FakePlugin(time);
        CachingLoginSource plugin = CachingLoginSource.around(remote, cache, Duration.ofMinutes(1));
        PasswordCredentials ada = new PasswordCredentials("ada", Secret.of(FakePlugin.PASSWORD));
        plugin.authenticate(ada, RequestContext.none());
        assertThat(cache.evictStoredHash("ada")).isZero();
        assertThat(cache.evictUsername("ada")).isEqualTo(1);
        login(1);
        assertThat(cache.evictUsername(fake.encode("p1"))).isZero();
        assertThat(cache.evictStoredHash(fake.encode("p1"))).isEqualTo(1);
    }

    @Test
    void evictAll_forgetsEveryAccount() {
        for (int i = 0; i < 100; i++) {
            login(i);
        }
        assertThat(cache.evictAll()).isEqualTo(100);
        assertThat(cache.stats().size()).isZero();
        assertThat(cache.stats().evictedByRequest()).isEqualTo(100);
    }

    // A load in progress must not store its result after the eviction of the account.
    @Test
    void loadOnItsWayWhenTheAccountIsEvicted_isNotStored() {
        fake.beforeAnswer = (presented, hash) -> cache.evictStoredHash(hash);
        assertThat(login(1)).isTrue();
        assertThat(cache.stats().size()).isZero();
        assertThat(cache.stats().notStored()).isEqualTo(1);
        fake.beforeAnswer = (presented, hash) -> {};
        assertThat(login(1)).isTrue();
        assertThat(cache.stats().size()).isEqualTo(1);
    }

    @Test
    void loadOnItsWayWhenAllIsEvicted_isNotStored() {
        fake.beforeAnswer = (presented, hash) -> cache.evictAll();
        assertThat(login(1)).isTrue();
        assertThat(cache.stats().size()).isZero();
    }

    @Test
    void loadOnItsWayWhenTheCacheIsClosed_isNotStored() {
        fake.beforeAnswer = (presented, hash) -> cache.close();
        assertThat(login(1)).isTrue();
        assertThat(cache.stats().size()).isZero();
    }

    @Test
    void loadOnItsWayWhenAnotherAccountIsEvicted_isStored() {
        fake.beforeAnswer = (presented, hash) -> cache.evictStoredHash("another");
        assertThat(login(1)).isTrue();
        assertThat(cache.stats().size()).isEqualTo(1);
    }

    // The narrow side: between the flight's last look and the map's update there is no gap for an eviction.
    @Test
    void flightForbiddenBeforeTheUpdate_addsNothingInIt() {
        CredentialStore store = store();
        CachedCredential entry = entry(1);
        Flight<Boolean> flight = new Flight<>(9);
        assertThat(store.add(flight, entry, 0)).isTrue();
        store.removeAll(9);
        flight.forbidStore();
        assertThat(store.add(flight, entry, 0)).isFalse();
        assertThat(store.entriesOf(9)).isNull();
    }

    @Test
    void forbiddenCall_leavesEntriesStoredAfterTheEviction() {
        CredentialStore store = store();
        Flight<Boolean> evicted = new Flight<>(9);
        evicted.forbidStore();
        CachedCredential later = entry(5);
        store.add(new Flight<>(9), later, 0);
        store.add(evicted, entry(1), 0);
        assertThat(store.entriesOf(9)).isEqualTo(later);
    }

    // Evicted between a hit under the previous key and the copy under the current key.
    @Test
    void evictedEntry_isNotBroughtBackByARotation() {
        CredentialStore store = store();
        CachedCredential entry = entry(1);
        store.add(new Flight<>(9), entry, 0);
        store.removeAll(9);
        store.rekey(9, entry, new CredentialDigest(5, 6, 7, 8), 0);
        assertThat(store.entriesOf(9)).isNull();
        CachedCredential later = entry(2);
        store.add(new Flight<>(9), later, 0);
        store.rekey(9, entry, new CredentialDigest(5, 6, 7, 8), 0);
        assertThat(store.entriesOf(9)).as("nor instead of a later one").isEqualTo(later);
    }

    private CredentialStore store() {
        return new CredentialStore(cache.settings(), time, Scheduler.disabledScheduler(), new Counters());
    }

    private static CachedCredential entry(long digest) {
        return new CachedCredential(new CredentialDigest(digest, digest, digest, digest), null, Long.MAX_VALUE / 2, 0);
    }

    private boolean login(int account) {
        return encoder.matches("p" + account, fake.encode("p" + account));
    }
}
