package dev.latchkey.auth.guard.login;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.LimitKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An evicted known pair: its admitted logins still take their tokens. */
class DisplacedPairsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final int TOKENS = 20;
    private static final int OPEN = 3;

    private final ManualTime time = new ManualTime();
    private final LimitKeys keys = LimitKeys.random();
    private final ClientKeys client = keys.client(HOME);
    private final LoginLedger ledger = new LoginLedger(
            LoginLimitSettings.defaults(),
            LocalBucketStore.create(time),
            time,
            new GuardEvents(GuardListener.NONE),
            keys);

    @Test
    void loginsThatAreOpenWhenALimitChanges_areCountedUnderTheNewOne() {
        LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
        Attempts attempts = new Attempts(limits);
        attempts.admits("ann", HOME, "right");
        List<Reservation> open = new ArrayList<>();
        for (int i = 0; i < OPEN; i++) {
            open.add(requireNonNull(limits.reserveKnown("ann", HOME)));
        }
        limits.change(LoginBucket.KNOWN_CLIENT, 0, LimitWindow.of(10, Duration.ofMinutes(5)));
        assertThat(attempts.guesses(10 - OPEN, "ann", HOME)).isEqualTo(10 - OPEN);
        CompletableFuture<Admission> another = attempts.reserve("ann", HOME, "another");
        assertThat(another).isNotDone();
        for (int i = 0; i < OPEN; i++) {
            open.get(i).settle(AttemptResult.FAILED, "open" + i);
        }
        assertThat(another).isCompletedWithValueMatching(Admission.Refused.class::isInstance);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void loginsThatAreOpen_whenAnotherAccountTakesTheSlot_holdATokenEach() {
        KnownPair ann = pair("ann", 1L << 32);
        KnownPair bob = pair("bob", (1L << 32) + 1);
        putAndBegin(ann);
        ledger.pairs().put(bob);
        assertThat(ledger.pairs().find(bob.spelling())).isSameAs(bob);
        assertRetiredWithTokens(ann);
    }

    @Test
    void loginsThatAreOpen_whenAnotherSpellingComesFromAnotherThread_holdATokenEach() {
        KnownPair first = pair("ann", 1L << 32);
        KnownPair second = pair("ann", 2L << 32);
        putAndBegin(first);
        ledger.pairs().put(second);
        assertThat(ledger.pairs().find(second.spelling())).isSameAs(second);
        assertRetiredWithTokens(first);
    }

    private KnownPair pair(String name, long spelling) {
        List<AccountKeys> accounts = List.of(keys.named(name, name, client));
        long endsAt = time.nanoTime() + Duration.ofHours(1).toNanos();
        int failures = ledger.pairs().failuresOf(accounts);
        return new KnownPair(ledger, spelling, 0, client, accounts, failures, TOKENS, endsAt);
    }

    private void putAndBegin(KnownPair pair) {
        ledger.pairs().put(pair);
        for (int i = 0; i < OPEN; i++) {
            assertThat(pair.begin(time.nanoTime())).isTrue();
        }
    }

    private void assertRetiredWithTokens(KnownPair pair) {
        KeyedBucket level = BucketsOfLogin.ofKnownClient(pair.accounts().get(0)).bucket();
        assertThat(ledger.pairs().find(pair.spelling())).isNull();
        assertThat(pair.begin(time.nanoTime())).isFalse();
        assertThat(ledger.queue().openAt(level)).isEqualTo(OPEN);
        for (int i = 0; i < OPEN; i++) {
            pair.settle(AttemptResult.SUCCEEDED, null);
        }
        assertThat(ledger.stats().contended()).isZero();
    }
}
