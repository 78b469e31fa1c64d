package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.contract.Race;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.BucketTake;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A known client retires while other logins of the client run: no further login is compared than its bucket has
 * tokens.
 */
@Tag("long")
class KnownPairRacesTest {

    private static final int TOKENS = 3;
    private static final int LOGINS = 2;
    private static final String HASH = Attempts.Account.ANN.hash();

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.shared(
            LoginLimitSettings.defaults().with(LoginBucket.KNOWN_CLIENT, LimitWindow.of(TOKENS, Duration.ofMinutes(5))),
            new Yielding(LocalBucketStore.create(time)),
            Secret.of("k".repeat(32)),
            time,
            GuardListener.NONE);
    private final Attempts attempts = new Attempts(limits);
    private final Race race = new Race();

    @AfterEach
    void endThreads() {
        race.close();
    }

    @Test
    void loginsThatFailTogether_areNoMoreThanTheTokens_andEachCostsOne() throws Exception {
        for (int round = 0; round < Race.rounds(); round++) {
            String name = "user" + round;
            ClientSource source = Attempts.address("2001:db8:" + Integer.toHexString(round >>> 16) + ":"
                    + Integer.toHexString(round & 0xffff) + "::1");
            attempts.admits(name, source, "right");
            AtomicInteger failed = new AtomicInteger();
            int failing = 0;
            List<Race.Runner> runners = new ArrayList<>();
            for (int thread = 0; thread < Race.threadsOf(round); thread++) {
                int number = thread;
                failing += LOGINS;
                runners.add(() -> {
                    for (int i = 0; i < LOGINS; i++) {
                        if (logIn(name, source, "wrong" + number + "-" + i)) {
                            failed.incrementAndGet();
                        }
                    }
                });
            }
            race.run(runners);
            int left = attempts.guesses(2 * TOKENS, name, source);
            assertThat(failed.get()).as("round %d", round).isLessThanOrEqualTo(Math.min(TOKENS, failing));
            assertThat(failed.get() + left).as("round %d", round).isEqualTo(TOKENS);
            assertThat(limits.stats().contended()).isZero();
            time.advance(Duration.ofMinutes(5));
        }
    }

    /** Whether its password was compared. */
    private boolean logIn(String name, ClientSource source, String password) throws Exception {
        Admission admission = attempts.reserve(name, source, password).get(30, TimeUnit.SECONDS);
        if (!(admission instanceof Admission.Admitted admitted)) {
            return false;
        }
        Reservation login = admitted.reservation();
        Race.letOthersIn();
        if (!(login.found(HASH).get(30, TimeUnit.SECONDS) instanceof Admission.Admitted)) {
            login.settle(AttemptResult.NOT_ATTEMPTED, password);
            return false;
        }
        login.settle(AttemptResult.FAILED, password);
        return true;
    }

    /** Lets another thread in where tokens are taken and given back. */
    private record Yielding(BucketStore store) implements BucketStore {

        @Override
        public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
            Race.letOthersIn();
            return store.take(policy, key);
        }

        @Override
        public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
            Race.letOthersIn();
            return store.giveBack(policy, key, tokens);
        }
    }
}
