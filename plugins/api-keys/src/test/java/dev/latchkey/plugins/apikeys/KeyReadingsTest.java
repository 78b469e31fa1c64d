package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a node knows of keys, and for how long: two nodes of one store. */
class KeyReadingsTest {

    private static final Duration SEEN_WITHIN = Duration.ofSeconds(10);

    private final SetClock clock = new SetClock();
    private final ApiKeyStore store = new InMemoryApiKeyStore();
    private final Node here = Node.of(store, clock);
    private final Node there = Node.of(store, clock);
    private final IssuedKey key = here.issue(KeyOwner.of("ada"));

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void keyThatIsShownOften_isReadOnceInItsTime() {
        for (int i = 0; i < 100; i++) {
            assertThat(here.takes(key)).isTrue();
        }
        here.passes(SEEN_WITHIN.minusNanos(1));
        assertThat(here.takes(key)).isTrue();
        assertThat(here.store.finds).hasValue(1);
        here.nanos.move(Duration.ofNanos(1));
        assertThat(here.takes(key)).isTrue();
        assertThat(here.store.finds).hasValue(2);
    }

    @Test
    void keyThatAnotherNodeRevoked_isGoodForTheStatedTimeAtMost() {
        assertThat(there.takes(key)).isTrue();
        here.keys.revoke("ada", key.key().id());
        assertThat(here.takes(key)).as("at once where it was revoked").isFalse();
        there.nanos.move(SEEN_WITHIN);
        assertThat(there.takes(key)).isFalse();
    }

    @Test
    void keyThatAnotherNodeRotated_isTakenAtOnce() {
        assertThat(there.takes(key)).isTrue();
        IssuedKey next =
                (IssuedKey) here.keys.rotate("ada", key.key().id(), KeyRotation.overlappingBy(Duration.ofHours(1)));
        assertThat(there.takes(next)).isTrue();
        assertThat(there.takes(key)).as("within the overlap").isTrue();
        assertThat(there.store.finds)
                .as("the first, the comparison, and the fresh one")
                .hasValue(3);
    }

    @Test
    void wrongSecret_duringAnOutage_leavesTheKeyGood() {
        Secret wrong = Secret.of(here.keys.format().randomKey(key.key().id(), new SecureRandom()));
        assertThat(here.takes(key)).isTrue();
        here.store.isDown = true;
        assertThatThrownBy(() -> here.keys.check(wrong)).isInstanceOf(AuthUnavailableException.class);
        assertThat(here.takes(key)).isTrue();
    }

    @Test
    void wrongSecret_causesNoFurtherReadingForTheRightOne() {
        Secret wrong = Secret.of(here.keys.format().randomKey(key.key().id(), new SecureRandom()));
        assertThat(here.takes(key)).isTrue();
        assertThat(here.keys.check(wrong)).isNotInstanceOf(Authenticated.class);
        here.store.finds.set(0);
        assertThat(here.takes(key)).isTrue();
        assertThat(here.store.finds).hasValue(0);
    }

    /** The number of reads tells nobody whether an id is a key's. */
    @Test
    void wrongSecret_isReadForEachRequest_likeAnIdThatNobodyHas() {
        KeyFormat format = here.keys.format();
        for (String id : List.of(key.key().id(), "nobodyhasit0")) {
            String wrong = format.randomKey(id, new SecureRandom());
            here.store.finds.set(0);
            for (int i = 0; i < 100; i++) {
                assertThat(here.keys.check(Secret.of(wrong))).isNotInstanceOf(Authenticated.class);
            }
            assertThat(here.store.finds).hasValue(100);
        }
    }

    @Test
    void outage_isNotNoticedForTheStatedTime_andIsNoRejectionAfterwards() {
        assertThat(here.takes(key)).isTrue();
        here.store.isDown = true;
        here.nanos.move(SEEN_WITHIN.minusNanos(1));
        assertThat(here.takes(key)).isTrue();
        here.nanos.move(Duration.ofNanos(1));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> here.takes(key)).isInstanceOf(AuthUnavailableException.class);
        }
        here.store.isDown = false;
        assertThat(here.takes(key)).as("nothing of the outage is remembered").isTrue();
    }

    /** The chain reports an outage once. A stack trace for each request would fill the log. */
    @Test
    void outage_isNotLoggedByTheCache() {
        List<String> logged = new CopyOnWriteArrayList<>();
        Logger caffeine = Logger.getLogger("com.github.benmanes.caffeine.cache");
        Handler handler = new StreamHandler() {
            @Override
            public synchronized void publish(LogRecord line) {
                logged.add(line.getMessage());
            }
        };
        caffeine.addHandler(handler);
        try {
            here.store.isDown = true;
            assertThatThrownBy(() -> here.takes(key)).isInstanceOf(AuthUnavailableException.class);
        } finally {
            caffeine.removeHandler(handler);
        }
        assertThat(logged).isEmpty();
    }

    @Test
    void manyWhoShowAKeyThatIsNotKnownYet_causeOneReading() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        here.store.beforeItAnswers = () -> {
            reading.countDown();
            await(mayAnswer);
        };
        List<Thread> started = new CopyOnWriteArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8, task -> {
            Thread thread = new Thread(task);
            started.add(thread);
            return thread;
        });
        try {
            List<Future<Boolean>> shown = new ArrayList<>();
            shown.add(threads.submit(() -> here.takes(key)));
            await(reading);
            for (int i = 0; i < 7; i++) {
                shown.add(threads.submit(() -> here.takes(key)));
            }
            while (!started.stream().allMatch(KeyReadingsTest::isWaiting)) {
                Thread.onSpinWait();
            }
            mayAnswer.countDown();
            for (Future<Boolean> each : shown) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(here.store.finds).hasValue(1);
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void interruptedRequest_isAnOutage_andItsThreadStaysInterrupted() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        here.store.beforeItAnswers = () -> {
            reading.countDown();
            await(mayAnswer);
        };
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> first = thread.submit(() -> here.takes(key));
            await(reading);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> here.takes(key))
                    .isInstanceOf(AuthUnavailableException.class)
                    .hasMessageStartingWith("The thread was interrupted");
            assertThat(Thread.interrupted()).isTrue();
            mayAnswer.countDown();
            assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            thread.shutdownNow();
        }
    }

    /** What was read before a revocation is not remembered after it. */
    @Test
    void keyThatIsRevokedWhileItIsRead_isNotRemembered() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        here.store.beforeItAnswers = () -> {
            reading.countDown();
            await(mayAnswer);
        };
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> early = thread.submit(() -> here.takes(key));
            await(reading);
            here.keys.revokeAll("ada", clock.instant());
            mayAnswer.countDown();
            early.get(30, TimeUnit.SECONDS);
        } finally {
            thread.shutdownNow();
        }
        here.store.beforeItAnswers = () -> {};
        assertThat(here.takes(key)).isFalse();
    }

    @Test
    void revocationOfAnAccountsKeys_leavesTheKeysOfOthersInTheCache() {
        IssuedKey ofBob = here.issue(KeyOwner.of("bob"));
        assertThat(here.takes(key)).isTrue();
        assertThat(here.takes(ofBob)).isTrue();
        here.keys.revokeAll("ada", clock.instant());
        assertThat(here.takes(ofBob)).isTrue();
        assertThat(here.store.finds).hasValue(2);
        assertThat(here.takes(key)).isFalse();
        assertThat(here.store.finds).hasValue(3);
    }

    /** Random ids would take the places of keys. */
    @Test
    void unknownId_isNotKept() {
        StoredKey row = store.find(key.key().id()).orElseThrow();
        store.delete("ada", row.id());
        assertThat(there.takes(key)).isFalse();
        store.insert(row, 1);
        there.store.finds.set(0);
        assertThat(there.takes(key)).isTrue();
        assertThat(there.store.finds).hasValue(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
