package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.login.LoginAttempt;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The costs of waiting in real time: an entry for each login, and one thread for all. */
@SuppressWarnings("FutureReturnValueIgnored") // all logins are refused
class WaitingThreadsTest {

    private static final int MANY = 10_000;
    private static final Duration LONG = Duration.ofHours(1);
    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();
    private final GuardTime time = GuardTime.start();

    @AfterEach
    void close() {
        time.close();
    }

    /** But for the test's own, and the JDK's own pool, on which Caffeine tidies up. */
    private List<String> newThreads() {
        Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
        now.removeAll(before);
        now.remove(Thread.currentThread());
        return now.stream()
                .map(Thread::getName)
                .filter(name -> !name.startsWith("ForkJoinPool.commonPool-"))
                .sorted()
                .collect(Collectors.toList());
    }

    @Test
    void tenThousandLoginsThatWait_costOneThread() {
        LoginLimits limits = LoginLimits.local(
                LoginLimitSettings.defaults().withWaiting(new LoginLimitSettings.Waiting(LONG, MANY, MANY)),
                time,
                GuardListener.NONE);
        for (int i = 0; i < 5 + MANY; i++) {
            limits.reserve(new LoginAttempt("ann", HOME), null);
        }
        assertThat(limits.stats().waiting()).isEqualTo(MANY);
        assertThat(newThreads()).containsExactly("latchkey-guard-timer");
    }

    @Test
    void tenThousandHashesThatWait_costOneThread() {
        HashingSettings settings =
                HashingSettings.defaults().withAtOnce(1).withMaxWait(LONG).withFirstEstimate(Duration.ofNanos(1));
        HashingPermits permits = new HashingPermits(settings, WaitingThreads.atMost(1), time, GuardListener.NONE);
        Queue<Runnable> begun = new ArrayDeque<>();
        for (int i = 0; i < 1 + MANY; i++) {
            permits.submit(0, false, () -> "hashed", begun::add);
        }
        assertThat(begun).hasSize(1);
        assertThat(permits.stats().waiting()).isEqualTo(MANY);
        assertThat(newThreads()).containsExactly("latchkey-guard-timer");
    }
}
