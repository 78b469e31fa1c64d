package dev.latchkey.auth.guard.hashing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.LoginAttempt;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A hundred wrong passwords a second from a thousand sources, where one permit computes sixteen hashes a second. Each second a
 * newcomer logs in from a new source, and comes back one to two seconds after each refusal. On a clock of its own.
 */
@Tag("long")
class SprayedHashesTest {

    private static final Duration HASH = Duration.ofMillis(60);
    private static final int TWICE_BETWEEN_GUESSES = 21;
    private static final int SOURCES = 1_000;
    private static final int GUESSES_A_SECOND = 100;
    private static final int PATIENCE = 20;

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final PermitQueue queue = new PermitQueue(
            HashingSettings.defaults().withAtOnce(1).withFirstEstimate(HASH),
            time,
            new GuardEvents(GuardListener.NONE),
            Carriers.ofThisProcess());

    private final Random random = new Random(7);
    private int cameSoFar;
    private int guesses;
    private int hashedGuesses;

    /** Somebody who comes back until a hash of the right password was computed. */
    private final class Newcomer {

        private final int number = cameSoFar++;
        private int attempts;
        private boolean isIn;

        void logIn() {
            if (attempts++ == PATIENCE) {
                return;
            }
            ask("newcomer" + number, address("203.0." + number / 250 + "." + number % 250), () -> isIn = true, () -> {
                var unused = time.after(Duration.ofMillis(1_000 + random.nextInt(1_000)), this::logIn);
            });
        }

        boolean isOut() {
            return !isIn;
        }
    }

    private static ClientSource address(String text) {
        return ClientSource.of(text).orElseThrow();
    }

    private void guess() {
        int source = guesses++ % SOURCES;
        ask("name" + guesses, address("198.18." + source / 250 + "." + source % 250), () -> false, () -> {});
    }

    /** Asks the limits and then for a permit; the password is right if the check says so. */
    private void ask(String account, ClientSource source, Callable<Boolean> check, Runnable whenRefused) {
        Admission admission =
                limits.reserve(new LoginAttempt(account, source), "password").join();
        if (admission instanceof Admission.Refused) {
            whenRefused.run();
            return;
        }
        Reservation login = admission.orThrow();
        PermitRequest request = queue.ask(HashDemand.of(0).leavingRoom(login.leavesRoom()));
        var unused = request.granted.whenComplete((permit, refusal) -> {
            if (refusal != null) {
                login.settle(AttemptResult.OVERLOADED, "password");
                whenRefused.run();
                return;
            }
            assertThat(queue.begin(request)).isTrue();
            var unusedEnd = time.after(HASH, () -> end(request, login, check));
        });
    }

    private void end(PermitRequest request, Reservation login, Callable<Boolean> check) {
        try {
            boolean matches = check.call();
            hashedGuesses += matches ? 0 : 1;
            login.settle(matches ? AttemptResult.SUCCEEDED : AttemptResult.FAILED, "password");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        queue.completed(request, HASH.toNanos());
    }

    /** The newcomers of these seconds, after the last of them had its time. */
    private List<Newcomer> newcomers(int seconds) {
        List<Newcomer> all = new ArrayList<>();
        for (int second = 0; second < seconds + PATIENCE; second++) {
            if (second < seconds) {
                Newcomer newcomer = new Newcomer();
                all.add(newcomer);
                var unused = time.after(Duration.ofMillis(random.nextInt(1_000)), newcomer::logIn);
            }
            for (int i = 0; i < GUESSES_A_SECOND; i++) {
                time.advance(Duration.ofMillis(random.nextInt(TWICE_BETWEEN_GUESSES)));
                guess();
            }
        }
        return all;
    }

    @Test
    void newcomersGetIn_onceTheSourcesOfTheSprayHaveFailed() {
        // The guesses of sources that have not failed yet look like newcomers: sixteen a second of them get a hash.
        List<Newcomer> whileSourcesAreNew = newcomers(SOURCES / 16);
        List<Newcomer> later = newcomers(300);
        assertThat(later).noneMatch(Newcomer::isOut);
        assertThat(later).allMatch(newcomer -> newcomer.attempts == 1);
        assertThat(whileSourcesAreNew).filteredOn(Newcomer::isOut).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void sprayStillGetsTheHashesThatNoOtherLoginNeeds() {
        List<Newcomer> all = newcomers(300);
        // Sixteen and two thirds a second, of which newcomers need one.
        assertThat(hashedGuesses).isBetween(15 * (300 + PATIENCE), 17 * (300 + PATIENCE) - all.size());
    }
}
