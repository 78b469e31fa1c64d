package dev.latchkey.auth.guard.login;

import static dev.latchkey.auth.guard.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The limits around what a thread decides. */
class LoginLimitGateTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final String HASH = Attempts.Account.ANN.hash();

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final LoginLimitGate logins = new LoginLimitGate(limits, WaitingThreads.atMost(300), () -> HOME);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Compared passwords. */
    private final AtomicInteger checks = new AtomicInteger();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    /** As whatever decides is decorated: a plugin, a manager or a chain of them. */
    private boolean login(String name, String password) {
        Reservation login = logins.begin(name, password);
        if (login == null) {
            return decide(name, password);
        }
        AttemptResult result = AttemptResult.FAILED;
        try {
            boolean right = decide(name, password);
            result = right ? AttemptResult.SUCCEEDED : AttemptResult.FAILED;
            return right;
        } finally {
            logins.end(login, result, password);
        }
    }

    private boolean decide(String name, String password) {
        logins.requireFound(HASH);
        checks.incrementAndGet();
        if (name.equals("broken")) {
            throw new IllegalStateException("A bug of a plugin");
        }
        return password.equals("right");
    }

    private static @Nullable Kind refusalOf(Runnable login) {
        try {
            login.run();
            return null;
        } catch (AuthUnavailableException e) {
            return e.kind();
        }
    }

    @Test
    void refusedLoginIsThrottled_andNothingIsCompared() {
        for (int i = 0; i < 5; i++) {
            assertThat(login("ann", "wrong" + i)).isFalse();
        }
        assertThat(refusalOf(() -> login("ann", "right"))).isEqualTo(Kind.THROTTLED);
        assertThat(checks).hasValue(5);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void accountThatIsExhausted_isRefusedWhenItIsFound_andNothingIsCompared() {
        for (int i = 0; i < 5; i++) {
            login("ann", "wrong" + i);
        }
        for (int i = 0; i < 20; i++) {
            String name = "ann" + i;
            assertThat(refusalOf(() -> login(name, "right"))).isEqualTo(Kind.THROTTLED);
        }
        assertThat(checks).hasValue(5);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void loginLeavesRoom_afterAFailureOfItsClient_unlessTheClientIsKnownForTheAccount() {
        assertThat(logins.leavesRoom()).as("outside a login").isFalse();
        assertThat(leavesRoom("ann", AttemptResult.SUCCEEDED)).isFalse();
        assertThat(leavesRoom("bob", AttemptResult.FAILED)).isFalse();
        assertThat(leavesRoom("carol", AttemptResult.NOT_ATTEMPTED)).isTrue();
        assertThat(leavesRoom("ann", AttemptResult.NOT_ATTEMPTED)).isFalse();
        time.advance(LoginLimitSettings.defaults().failuresCountFor());
        assertThat(leavesRoom("carol", AttemptResult.NOT_ATTEMPTED)).isFalse();
    }

    private boolean leavesRoom(String name, AttemptResult result) {
        Reservation login = logins.begin(name, null);
        boolean leavesRoom = logins.leavesRoom();
        logins.end(login, result, null);
        return leavesRoom;
    }

    @Test
    void managerThatAsksItsParent_isOneAttempt() {
        for (int i = 0; i < 5; i++) {
            Reservation outer = logins.begin("ann", "wrong" + i);
            assertThat(logins.begin("ann", "wrong" + i)).isNull();
            assertThat(login("ann", "wrong" + i)).isFalse();
            assertThat(outer).isNotNull();
            logins.end(outer, AttemptResult.FAILED, "wrong" + i);
        }
        assertThat(limits.stats().admitted()).isEqualTo(5);
        assertThat(refusalOf(() -> login("ann", "right"))).isEqualTo(Kind.THROTTLED);
    }

    @Test
    void nothingIsLeftOnTheThread_howeverALoginEnds() {
        assertThatThrownBy(() -> login("broken", "any")).isInstanceOf(IllegalStateException.class);
        login("ann", "right");
        for (int i = 0; i < 6; i++) {
            String password = "wrong" + i;
            refusalOf(() -> login("bob", password));
        }
        Reservation next = logins.begin("eve", "any");
        assertThat(next).isNotNull();
        logins.end(next, AttemptResult.NOT_ATTEMPTED, null);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void exceptionOfAPluginIsNoWayRoundTheLimits() {
        for (int i = 0; i < 5; i++) {
            String password = "any" + i;
            assertThatThrownBy(() -> login("broken", password)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(refusalOf(() -> login("broken", "any"))).isEqualTo(Kind.THROTTLED);
    }

    @Test
    void accountFoundOutsideOfALogin_isIgnored() {
        logins.requireFound(HASH);
        assertThat(limits.stats().admitted()).isZero();
    }

    @Test
    void twoHundredRightLoginsOnAsManyThreads_areAllDecided() throws Exception {
        assertThat(onThreads(200, i -> "right")).isEqualTo(200);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void twoHundredWrongLoginsOnAsManyThreads_areFiveComparisons() throws Exception {
        assertThat(onThreads(200, i -> "wrong" + i)).isEqualTo(5);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void twoHundredWrongLoginsOfAKnownPairOnAsManyThreads_areTwentyComparisons() throws Exception {
        login("ann", "right");
        assertThat(onThreads(200, i -> "wrong" + i)).isEqualTo(21);
        assertThat(limits.stats().contended()).isZero();
    }

    private int onThreads(int number, IntFunction<String> password) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            String given = password.apply(i);
            all.add(threads.submit(() -> {
                start.await();
                return refusalOf(() -> login("ann", given));
            }));
        }
        start.countDown();
        for (Future<?> each : all) {
            each.get();
        }
        return checks.get();
    }

    @Test
    void moreThreadsThanMayWait_areOverload_andCostNoAttempt() throws Exception {
        WaitingThreads one = WaitingThreads.atMost(1);
        LoginLimitGate narrow = new LoginLimitGate(limits, one, () -> HOME);
        List<Reservation> open = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            open.add(limits.reserve(new LoginAttempt("ann", HOME), null).join().orThrow());
        }
        Future<?> waiting = threads.submit(() -> {
            Reservation login = narrow.begin("ann", "right");
            if (login != null) {
                narrow.end(login, AttemptResult.SUCCEEDED, "right");
            }
        });
        until(() -> one.waiting() > 0 || waiting.isDone());
        assertThat(refusalOf(() -> narrow.begin("ann", "right"))).isEqualTo(Kind.OVERLOAD);
        open.forEach(each -> each.settle(AttemptResult.NOT_ATTEMPTED, null));
        waiting.get();
        assertThat(limits.stats().contended()).isZero();
        assertThat(limits.stats().waiting()).isZero();
    }

    @Test
    void credentialsAppearInNoText() {
        for (int i = 0; i < 5; i++) {
            login("ann", "wrong" + i);
        }
        assertThatThrownBy(() -> login("ann", "hunter2")).message().doesNotContain("ann", "hunter2", "192.0.2.1");
        assertThat(new LoginAttempt("hunter2", HOME).toString()).doesNotContain("hunter2");
        assertThat(HOME.toString()).isEqualTo("ClientSource[network=192.0.2.1]");
    }

    /** Otherwise a wrong password for one of them would show that the other exists. */
    @Test
    void accountsWithOnePlaceholder_haveNoLimitInCommon() {
        for (int i = 0; i < 5; i++) {
            assertThat(refusalOf(placeholderLogin("ann", "wrong" + i))).isNull();
        }
        assertThat(refusalOf(placeholderLogin("ann", "another"))).isEqualTo(Kind.THROTTLED);
        assertThat(refusalOf(placeholderLogin("bob", "wrong"))).isNull();
    }

    private Runnable placeholderLogin(String name, String password) {
        return () -> {
            Reservation login = logins.begin(name, password);
            try {
                logins.requireFound("{noop}!");
            } finally {
                logins.end(login, AttemptResult.FAILED, password);
            }
        };
    }
}
