package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One login under way, for any number of waiting and leaving callers. */
@Timeout(120)
class SingleFlightTest {

    private static final int THREADS = 1_000;
    private static final long LIMIT_SECONDS = 90;

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);
    private final HeardEvents heard = new HeardEvents();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final TokenAuthorizer authorizer = TokenAuthorizer.of(
            server.endpoint(),
            ClientSettings.defaults()
                    .withClock(time)
                    .withPatience(Duration.ofSeconds(LIMIT_SECONDS))
                    .withLoginTimeout(Duration.ofSeconds(LIMIT_SECONDS)));

    @AfterEach
    void stop() {
        released.countDown();
        server.close();
    }

    @Test
    void thousandThreadsThatStartCold_makeOneLogin() throws Exception {
        holdLogins();
        List<FutureTask<Authorization>> all = onThreads(() -> Authorizer.await(authorizer.current()));
        assertThat(arrived.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        released.countDown();
        assertThat(results(all)).hasSize(1);
        assertThat(server.logins()).isEqualTo(1);
    }

    @Test
    void thousandThreadsWithOneRefusedToken_makeOneLogin() throws Exception {
        Authorization refused = Authorizer.await(authorizer.current());
        List<FutureTask<Authorization>> all =
                onThreads(() -> Authorizer.await(authorizer.renewalOf(refused).orElseThrow()));
        assertThat(results(all)).hasSize(1).doesNotContain(refused);
        assertThat(server.logins()).isEqualTo(2);
    }

    @Test
    void interruptedCaller_leavesTheLoginToTheOthers() throws Exception {
        holdLogins();
        CompletableFuture<Authorization> other = authorizer.current();
        assertThat(arrived.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Authorizer.await(authorizer.current())).isInstanceOf(InterruptedException.class);
        released.countDown();
        assertThat(other.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isNotNull();
        assertThat(server.logins()).isEqualTo(1);
    }

    @Test
    void cancelledCaller_leavesTheLoginToTheOthers() throws Exception {
        holdLogins();
        CompletableFuture<Authorization> first = authorizer.current();
        CompletableFuture<Authorization> other = authorizer.current();
        assertThat(arrived.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(first.cancel(true)).isTrue();
        released.countDown();
        assertThat(other.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isNotNull();
        assertThat(server.logins()).isEqualTo(1);
    }

    @Test
    void callerWhosePatienceEnds_isToldSo_andTheLoginServesTheNext() throws Exception {
        holdLogins();
        TokenAuthorizer hasty = TokenAuthorizer.of(
                server.endpoint(),
                ClientSettings.defaults()
                        .withClock(time)
                        .withListener(heard)
                        .withPatience(Duration.ofMillis(1))
                        .withLoginTimeout(Duration.ofSeconds(LIMIT_SECONDS)));
        assertThatThrownBy(() -> Authorizer.await(hasty.current()))
                .isInstanceOfSatisfying(
                        LoginFailedException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(LoginFailedException.Kind.UNAVAILABLE))
                .hasMessage("No token within 1 ms");
        assertThat(arrived.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        released.countDown();
        heard.await(ClientEvent.LoggedIn.class, 1);
        assertThat(Authorizer.await(hasty.current())).isNotNull();
        assertThat(server.logins()).isEqualTo(1);
    }

    private void holdLogins() {
        server.onLogin(exchange -> {
            arrived.countDown();
            try {
                assertThat(released.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            server.issue(exchange);
        });
    }

    private static List<FutureTask<Authorization>> onThreads(Callable<Authorization> call) {
        CountDownLatch start = new CountDownLatch(THREADS);
        List<FutureTask<Authorization>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            FutureTask<Authorization> task = new FutureTask<>(() -> {
                start.countDown();
                start.await();
                return call.call();
            });
            all.add(task);
            Thread thread = new Thread(null, task, "caller " + i, 1 << 17);
            thread.setDaemon(true);
            thread.start();
        }
        return all;
    }

    private static Set<Authorization> results(List<FutureTask<Authorization>> all) throws Exception {
        List<Authorization> results = new ArrayList<>();
        for (FutureTask<Authorization> each : all) {
            results.add(each.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        }
        assertThat(results).hasSize(THREADS);
        return results.stream().collect(Collectors.toSet());
    }
}
