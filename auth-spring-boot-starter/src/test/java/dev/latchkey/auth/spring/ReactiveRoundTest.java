package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthEvent;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.guard.ClientSource;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HashingPool;
import dev.latchkey.auth.guard.HashingPoolSettings;
import dev.latchkey.auth.guard.LimitWindow;
import dev.latchkey.auth.guard.LoginGuard;
import dev.latchkey.auth.guard.LoginLimitSettings;
import dev.latchkey.auth.guard.LoginLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.userdetails.User;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Logins that give their thread back while a hash is computed. */
class ReactiveRoundTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final GuardTime time = GuardTime.start();
    private final HashingPool pool =
            HashingPool.start(HashingPoolSettings.defaults().withThreads(1).withMaxWait(Duration.ofMinutes(1)), time);
    private final LoginLimits limits = LoginLimits.local(
            LoginLimitSettings.defaults().withAccountAndSource(LimitWindow.of(1, Duration.ofHours(1))),
            time,
            GuardListener.NONE);
    private final ReactiveWork work = new ReactiveWork(new LoginGuard(limits, pool), () -> Set.of("users"));
    private final HashingProbe encoder = new HashingProbe();
    private final List<AuthEvent> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch slowStore = new CountDownLatch(1);
    private final List<String> lookups = new CopyOnWriteArrayList<>();
    private final AuthChain chain = AuthChain.of(new UserDetailsPlugin(
                    name -> {
                        lookups.add(Thread.currentThread().getName());
                        if (name.equals("slow")) {
                            waitFor(slowStore);
                        }
                        return User.withUsername(name)
                                .password(HashingProbe.stored(name, "right"))
                                .build();
                    },
                    encoder,
                    null))
            .withListener(events::add);

    @AfterEach
    void close() {
        encoder.gate.countDown();
        slowStore.countDown();
        work.close();
        pool.close();
        time.close();
    }

    @Test
    void login_isOneOutcome_howeverOftenItGaveItsThreadBack() {
        assertThat(login("alice", "right").block(LONG)).isInstanceOf(Authenticated.class);
        assertThat(events).hasExactlyElementsOfTypes(AuthEvent.Postponed.class, AuthEvent.Decided.class);
        assertThat(lookups).hasSize(2).allMatch(name -> name.startsWith("latchkey-wait-"));
        assertThat(encoder.threads).allMatch(name -> name.startsWith("latchkey-hash-"));
    }

    @Test
    void whatFollows_runsWhereTheEventLoopMay() {
        String thread = login("alice", "right")
                .map(verdict -> Thread.currentThread().getName())
                .block(LONG);
        assertThat(thread).startsWith("parallel-");
    }

    @Test
    void moreLoginsThanThreads_waitForTheirHashesWithoutOne() throws InterruptedException {
        encoder.gate = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            login("user" + i, "right").subscribe(verdict -> ended.countDown());
        }
        encoder.begun.acquire();
        assertThat(work.run(() -> "free").block(LONG)).isEqualTo("free");
        assertThat(ended.getCount()).isEqualTo(100);
        encoder.gate.countDown();
        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void failedLogin_countsOnce_andTheNextIsRefused() {
        assertThat(login("alice", "wrong").block(LONG)).isInstanceOf(Rejected.class);
        assertThatThrownBy(() -> login("alice", "wrong").block(LONG)).isInstanceOf(AuthUnavailableException.class);
        assertThat(login("bob", "right").block(LONG)).isInstanceOf(Authenticated.class);
        assertThat(login("bob", "right").block(LONG)).isInstanceOf(Authenticated.class);
    }

    @Test
    void whoGoesAwayWhileInLine_isNotHashedFor() throws InterruptedException {
        encoder.gate = new CountDownLatch(1);
        login("alice", "right").subscribe();
        encoder.begun.acquire();
        Disposable gone = login("bob", "right").subscribe();
        await(() -> pool.stats().queued() == 1);
        gone.dispose();
        CountDownLatch next = new CountDownLatch(1);
        login("carol", "right").subscribe(verdict -> next.countDown());
        encoder.gate.countDown();
        assertThat(next.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(pool.stats().abandoned()).isEqualTo(1);
        assertThat(login("bob", "right").block(LONG)).isInstanceOf(Authenticated.class);
    }

    @Test
    void whoGoesAwayDuringAPass_isNotHashedFor() throws InterruptedException {
        encoder.gate = new CountDownLatch(1);
        login("alice", "right").subscribe();
        encoder.begun.acquire();
        Disposable gone = login("slow", "right").subscribe();
        await(() -> lookups.size() == 2);
        gone.dispose();
        slowStore.countDown();
        await(() -> pool.stats().abandoned() == 1);
        assertThat(encoder.begun.tryAcquire()).isFalse();
    }

    @Test
    void whatTheWorkThrows_isWhatTheCallerGets() {
        assertThatThrownBy(() -> work.run(() -> {
                            throw new StackOverflowError("deep");
                        })
                        .block(LONG))
                .isInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> work.run(() -> {
                            throw new IllegalStateException("a defect");
                        })
                        .block(LONG))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void afterTheEnd_nobodyWaits() {
        work.close();
        assertThatThrownBy(() -> work.run(() -> "late").block(LONG)).isInstanceOf(AuthUnavailableException.class);
    }

    private static void await(BooleanSupplier condition) {
        Instant end = Instant.now().plus(LONG);
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).isBefore(end);
            Thread.onSpinWait();
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Mono<Verdict> login(String name, String password) {
        return work.run(() -> GuardedChain.authenticate(chain, new PasswordCredentials(name, Secret.of(password))))
                .contextWrite(context -> context.put(ClientSource.class, new ClientSource("192.0.2.1")));
    }
}
