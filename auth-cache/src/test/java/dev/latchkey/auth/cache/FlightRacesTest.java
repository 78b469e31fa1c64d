package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.contract.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds however loads, evictions and the end of a cache meet. */
@Tag("many-threads")
@Tag("long")
class FlightRacesTest {

    private final TestTime time = new TestTime();
    private final FakeEncoder fake = new FakeEncoder(time);
    private final Race race = new Race();

    @AfterEach
    void endThreads() {
        race.close();
    }

    @Test
    void coldCredential_isHashedOnce_andLeavesOneEntry() throws Exception {
        CredentialCache cache = time.cache();
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
        fake.beforeAnswer = (presented, hash) -> Race.letOthersIn();
        for (int round = 0; round < Race.rounds(); round++) {
            String password = "p" + round;
            String hash = "fake$" + password;
            int checksBefore = fake.checks.get();
            AtomicInteger accepted = new AtomicInteger();
            race.run(sameFor(Race.threadsOf(round), () -> {
                if (encoder.matches(password, hash)) {
                    accepted.incrementAndGet();
                }
            }));
            assertThat(accepted).hasValue(Race.threadsOf(round));
            assertThat(fake.checks.get() - checksBefore)
                    .as("hashes in round %d", round)
                    .isEqualTo(1);
            assertThat(cache.evictStoredHash(hash)).isEqualTo(1);
        }
        assertThat(cache.stats().inFlight()).isZero();
    }

    @Test
    void credentialThatIsRevokedAndThenEvicted_isNeverAcceptedAfterwards() throws Exception {
        CredentialCache cache = time.cache();
        AtomicReference<String> revoked = new AtomicReference<>("");
        FakeEncoder changing = new FakeEncoder(time) {
            @Override
            public boolean matches(CharSequence presented, String storedHash) {
                // A result from before the change may be answered late.
                boolean matches = super.matches(presented, storedHash) && !storedHash.equals(revoked.get());
                Race.letOthersIn();
                return matches;
            }
        };
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(changing, cache);
        for (int round = 0; round < Race.rounds(); round++) {
            String password = "p" + round;
            String hash = "fake$" + password;
            List<Race.Runner> runners = sameFor(Race.threadsOf(round) - 1, () -> encoder.matches(password, hash));
            boolean all = round % 2 == 0;
            runners.add(() -> {
                revoked.set(hash);
                var unused = all ? cache.evictAll() : cache.evictStoredHash(hash);
                if (encoder.matches(password, hash)) {
                    throw new AssertionError("accepted in round by whoever revoked it");
                }
            });
            race.run(runners);
            assertThat(encoder.matches(password, hash)).as("round %d", round).isFalse();
        }
        assertThat(cache.stats().inFlight()).isZero();
        assertThat(cache.stats().size()).isZero();
    }

    @Test
    void closedCache_keepsNoEntryOfARunningCall() throws Exception {
        for (int round = 0; round < Race.rounds(); round++) {
            CredentialCache cache = time.cache();
            CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
            List<Race.Runner> runners =
                    sameFor(Race.threadsOf(round) - 1, () -> encoder.matches("right", "fake$right"));
            runners.add(cache::close);
            race.run(runners);
            assertThat(cache.stats().size()).as("round %d", round).isZero();
            assertThat(cache.stats().inFlight()).isZero();
        }
    }

    private static List<Race.Runner> sameFor(int threads, Race.Runner runner) {
        List<Race.Runner> runners = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            runners.add(runner);
        }
        return runners;
    }
}
