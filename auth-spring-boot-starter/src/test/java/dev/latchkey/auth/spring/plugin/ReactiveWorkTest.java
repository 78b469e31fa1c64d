package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.login.LoginBucket;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.spring.HashingProbe;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.userdetails.User;
import reactor.core.publisher.Mono;

/** The login endpoint's part of a WebFlux service: the chain of plugins, on threads that may wait, past limits and permits. */
class ReactiveWorkTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int MAY_WAIT = 3;

    private final GuardTime time = GuardTime.start();
    private final WaitingThreads waiting = WaitingThreads.atMost(MAY_WAIT);
    private final HashingPermits permits = new HashingPermits(
            HashingSettings.defaults().withAtOnce(1).withMaxWait(Duration.ofMinutes(1)),
            waiting,
            time,
            GuardListener.NONE);
    private final LoginLimits limits = LoginLimits.local(
            LoginLimitSettings.defaults().with(LoginBucket.ACCOUNT_AND_SOURCE, LimitWindow.of(1, Duration.ofHours(1))),
            time,
            GuardListener.NONE);
    private final LoginLimitGate logins = new LoginLimitGate(limits, waiting, CurrentRequest::source);
    private final ReactiveWork work = new ReactiveWork();
    private final HashingProbe encoder = new HashingProbe();
    private final List<AuthEvent> events = new CopyOnWriteArrayList<>();
    private final List<String> lookups = new CopyOnWriteArrayList<>();
    private final AuthChain chain = AuthChain.of(new UserDetailsPlugin(
                    name -> {
                        lookups.add(Thread.currentThread().getName());
                        return User.withUsername(name)
                                .password(HashingProbe.stored(name, "right"))
                                .build();
                    },
                    TestLoginEncoders.around(encoder, null, permits, logins),
                    null))
            .withListener(events::add)
            .withGate(logins);

    @AfterEach
    void close() {
        encoder.gate.countDown();
        work.close();
        time.close();
    }

    @Test
    void login_isOneOutcomeOfOneLookup_andHashedOnTheThreadThatAsks() {
        assertThat(login("alice", "right").block(LONG)).isInstanceOf(Authenticated.class);
        assertThat(events).hasExactlyElementsOfTypes(AuthEvent.Decided.class);
        assertThat(lookups).hasSize(1).allMatch("latchkey-wait"::equals);
        assertThat(encoder.threads).containsExactlyElementsOf(lookups);
    }

    @Test
    void continuation_runsOnAThreadForBlockingWork() {
        String thread = login("alice", "right")
                .map(verdict -> Thread.currentThread().getName())
                .block(LONG);
        assertThat(thread).startsWith("parallel-");
    }

    @Test
    void moreLoginsThanMayWait_areRefusedAtOnce_andLeaveThreadsToOthers() throws InterruptedException {
        encoder.gate = new CountDownLatch(1);
        CountDownLatch admitted = new CountDownLatch(1 + MAY_WAIT);
        CountDownLatch refused = new CountDownLatch(100 - 1 - MAY_WAIT);
        for (int i = 0; i < 100; i++) {
            login("user" + i, "right").subscribe(verdict -> admitted.countDown(), refusal -> refused.countDown());
        }
        assertThat(refused.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(admitted.getCount()).isEqualTo(1 + MAY_WAIT);
        assertThat(work.run(() -> "free").block(LONG)).isEqualTo("free");
        encoder.gate.countDown();
        assertThat(admitted.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** With a queue for each thread, some of this work would stand behind work that hangs. */
    @Test
    void workWaitsForAnyFreeThread() throws InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1_000);
        for (int i = 0; i < ReactiveWork.THREADS - 1; i++) {
            work.run(() -> hanging.await(60, TimeUnit.SECONDS)).subscribe();
        }
        for (int i = 0; i < 1_000; i++) {
            work.run(() -> "quick").subscribe(quick -> done.countDown());
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        hanging.countDown();
    }

    @Test
    void failedLogin_countsOnce_andTheNextIsRefused() {
        assertThat(login("alice", "wrong").block(LONG)).isInstanceOf(Rejected.class);
        assertThatThrownBy(() -> login("alice", "another wrong").block(LONG))
                .isInstanceOf(AuthUnavailableException.class);
        assertThat(login("bob", "right").block(LONG)).isInstanceOf(Authenticated.class);
        assertThat(login("bob", "right").block(LONG)).isInstanceOf(Authenticated.class);
    }

    @Test
    void threadsRememberNoSource() {
        login("alice", "wrong").block(LONG);
        assertThat(work.run(CurrentRequest::hasSource)
                        .contextWrite(context -> context.put(
                                CurrentLogin.class,
                                CurrentRequest.from(
                                        () -> ClientSource.of("192.0.2.2").orElseThrow(), CurrentLogin.NONE)))
                        .block(LONG))
                .isTrue();
        assertThat(work.run(CurrentRequest::source).block(LONG)).isEqualTo(ClientSource.UNKNOWN);
    }

    @Test
    void exceptionOfTheWork_reachesTheCaller() {
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

    private Mono<Verdict> login(String name, String password) {
        return work.run(() -> chain.authenticate(new PasswordCredentials(name, Secret.of(password))))
                .contextWrite(context -> context.put(
                        CurrentLogin.class,
                        CurrentRequest.from(() -> ClientSource.of("192.0.2.1").orElseThrow(), CurrentLogin.NONE)));
    }
}
