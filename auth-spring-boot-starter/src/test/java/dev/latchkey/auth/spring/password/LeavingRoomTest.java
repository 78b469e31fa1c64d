package dev.latchkey.auth.spring.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.spring.RecordingEncoder;
import dev.latchkey.auth.spring.http.CurrentRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On request threads: who has failed lately leaves places for hashes to others. */
class LeavingRoomTest {

    private static final ClientSource HERE = ClientSource.of("192.0.2.1").orElseThrow();

    private final GuardTime time = GuardTime.start();
    private final WaitingThreads waiting = WaitingThreads.atMost(10);
    private final LoginLimitGate logins = new LoginLimitGate(
            LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE), waiting, () -> HERE);
    /** One hash at a time. A second fits into the wait, but not into half of the wait. */
    private final HashingPermits permits = new HashingPermits(
            HashingSettings.defaults()
                    .withAtOnce(1)
                    .withMaxWait(Duration.ofSeconds(20))
                    .withFirstEstimate(Duration.ofSeconds(8)),
            waiting,
            time,
            GuardListener.NONE);

    private final LoginEncoder encoder = TestLoginEncoders.around(new RecordingEncoder(() -> 0), null, permits, logins);

    @AfterEach
    void end() {
        time.close();
    }

    @Test
    void requestOfAClientThatHasFailed_isRefusedBehindARunningHash_andHashedAtOnceOtherwise() throws Exception {
        assertThat(login("bob", "wrong")).isFalse();
        assertThat(login("carol", "wrong")).isFalse();
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Boolean> running = permits.submit(
                0,
                false,
                () -> {
                    end.await();
                    return true;
                },
                hash -> new Thread(hash, "running").start());
        assertThatThrownBy(() -> login("carol", "wrong"))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(Kind.OVERLOAD));
        end.countDown();
        assertThat(running.join()).isTrue();
    }

    private boolean login(String name, String password) throws Exception {
        return CurrentRequest.from(() -> HERE, CurrentLogin.NONE).call(() -> {
            Reservation login = Objects.requireNonNull(logins.begin(name, null));
            try {
                return encoder.matches(password, "right");
            } finally {
                logins.end(login, AttemptResult.FAILED, null);
            }
        });
    }
}
