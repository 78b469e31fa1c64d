package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.client.ClientEvent.NotRetried;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a token is shown, fetched anew, given up. */
@Timeout(60)
class RenewalTest {

    private static final Duration LIFETIME = Duration.ofSeconds(100);
    private static final long LIMIT_SECONDS = 30;

    private final MovedTime time = new MovedTime();
    private final LoginServer server = new LoginServer(time);
    private final HeardEvents heard = new HeardEvents();
    private final TokenAuthorizer authorizer = TokenAuthorizer.of(
            server.endpoint(), ClientSettings.defaults().withClock(time).withListener(heard), () -> 0L, time::pause);

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void tokenInItsPrime_isShownAgain() throws Exception {
        server.issueFor(LIFETIME);
        Authorization first = current();
        time.moveBy(Duration.ofSeconds(69));
        assertThat(current()).isSameAs(first);
        assertThat(server.logins()).isEqualTo(1);
    }

    @Test
    void oldToken_isShownWhileTheNextIsFetched() throws Exception {
        server.issueFor(LIFETIME);
        Authorization first = current();
        time.moveBy(Duration.ofSeconds(70));
        CountDownLatch released = new CountDownLatch(1);
        server.onLogin(exchange -> {
            await(released);
            server.issue(exchange);
        });
        assertThat(current()).isSameAs(first);
        assertThat(current()).isSameAs(first);
        released.countDown();
        heard.await(ClientEvent.LoggedIn.class, 2);
        assertThat(current()).isNotSameAs(first);
        assertThat(server.logins()).isEqualTo(2);
    }

    @Test
    void failedRefresh_isNotFeltUntilTheTokenEnds() throws Exception {
        server.issueFor(LIFETIME);
        Authorization first = current();
        time.moveBy(Duration.ofSeconds(70));
        server.onLogin(LoginServer.answering(503, "Retry-After", "15"));
        assertThat(current()).isSameAs(first);
        heard.await(ClientEvent.LoginFailed.class, 1);
        time.moveBy(Duration.ofSeconds(14));
        assertThat(current()).isSameAs(first);
        assertThat(server.logins()).isEqualTo(2);
        server.onLogin(server::issue);
        time.moveBy(Duration.ofSeconds(1));
        assertThat(current()).isSameAs(first);
        heard.await(ClientEvent.LoggedIn.class, 2);
        assertThat(current()).isNotSameAs(first);
    }

    @Test
    void tokenInTheLastTenthOfItsLife_isNotShown() throws Exception {
        server.issueFor(LIFETIME);
        Authorization first = current();
        time.moveBy(Duration.ofSeconds(90));
        assertThat(current()).isNotSameAs(first);
    }

    @Test
    void tokenWithoutALifetime_isShownUntilItIsRefused() throws Exception {
        server.onLogin(
                exchange -> LoginServer.send(exchange, 200, "{\"access_token\":\"abc\",\"token_type\":\"bearer\"}"));
        Authorization first = current();
        time.moveBy(Duration.ofDays(1_000));
        assertThat(current()).isSameAs(first);
        assertThat(renewed(first)).isNotSameAs(first);
    }

    @Test
    void refusalOfAnEarlierToken_takesTheNewerOneWithoutALogin() throws Exception {
        Authorization first = current();
        Authorization second = renewed(first);
        assertThat(renewed(first)).isSameAs(second);
        assertThat(current()).isSameAs(second);
        assertThat(server.logins()).isEqualTo(2);
    }

    @Test
    void refusalWhileTheNextIsFetched_fetchesAnother() throws Exception {
        server.issueFor(LIFETIME);
        Authorization first = current();
        time.moveBy(Duration.ofSeconds(70));
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger answered = new AtomicInteger();
        server.onLogin(exchange -> {
            String before = server.newToken();
            arrived.countDown();
            await(released);
            String token = answered.incrementAndGet() == 1 ? before : server.newToken();
            LoginServer.send(
                    exchange, 200, "{\"access_token\":\"" + token + "\",\"token_type\":\"Bearer\",\"expires_in\":100}");
        });
        assertThat(current()).isSameAs(first);
        await(arrived);
        server.restart();
        CompletableFuture<Authorization> renewal = authorizer.renewalOf(first).orElseThrow();
        released.countDown();
        Authorization renewed = renewal.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(renewed.fieldValue()).startsWith("Bearer 1.");
        assertThat(current()).isSameAs(renewed);
        assertThat(server.logins()).isEqualTo(3);
    }

    @Test
    void serverThatRefusesEveryToken_costsFiveLoginsAndThenOneInTenSeconds() throws Exception {
        Authorization shown = current();
        for (int i = 0; i < RenewalBudget.MOST; i++) {
            shown = renewed(shown);
        }
        assertThat(authorizer.renewalOf(shown)).isEmpty();
        assertThat(heard.of(NotRetried.class)).containsExactly(new NotRetried(NotRetried.Reason.TOO_MANY_RENEWALS));
        time.moveBy(RenewalBudget.ONE_MORE_AFTER.minusMillis(1));
        assertThat(authorizer.renewalOf(shown)).isEmpty();
        time.moveBy(Duration.ofMillis(1));
        shown = renewed(shown);
        assertThat(authorizer.renewalOf(shown)).isEmpty();
        assertThat(server.logins()).isEqualTo(RenewalBudget.MOST + 2);
    }

    @Test
    void refreshToken_isShownInsteadOfThePassword_andReplaced() throws Exception {
        server.onLogin(exchange -> server.issue(exchange, ",\"refresh_token\":\"r1\""));
        server.onRefresh(exchange -> server.issue(exchange, ",\"refresh_token\":\"r2\""));
        renewed(renewed(current()));
        assertThat(server.logins()).isEqualTo(1);
        assertThat(server.asked())
                .extracting(LoginServer.Asked::body)
                .containsExactly(
                        "username=robot&password=correct%20horse%20battery%20staple",
                        "grant_type=refresh_token&refresh_token=r1", "grant_type=refresh_token&refresh_token=r2");
        assertThat(heard.of(ClientEvent.Refreshed.class)).hasSize(2);
    }

    @Test
    void refreshTokenThatIsRefused_isFollowedByThePasswordAtOnce() throws Exception {
        server.onLogin(exchange -> server.issue(exchange, ",\"refresh_token\":\"r1\""));
        server.onRefresh(exchange -> LoginServer.send(exchange, 400, "{\"error\":\"invalid_grant\"}"));
        assertThat(renewed(current())).isNotNull();
        assertThat(server.refreshes()).isEqualTo(1);
        assertThat(server.logins()).isEqualTo(2);
        assertThat(heard.of(ClientEvent.RefreshRefused.class)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 500, 502})
    void refreshThatFails_isFollowedByThePassword_afterThePause(int status) throws Exception {
        server.onLogin(exchange -> server.issue(exchange, ",\"refresh_token\":\"r1\""));
        server.onRefresh(exchange -> LoginServer.send(exchange, status, ""));
        Authorization first = current();
        Authorization second = renewed(first);
        assertThat(second).isNotSameAs(first);
        assertThat(renewed(second)).isNotSameAs(second);
        assertThat(time.pauses()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(1));
        assertThat(server.refreshes()).isEqualTo(2);
        assertThat(server.logins()).isEqualTo(3);
    }

    @Test
    void refreshThatFailsEarly_isNotFelt() throws Exception {
        server.issueFor(LIFETIME);
        server.onLogin(exchange -> server.issue(exchange, ",\"refresh_token\":\"r1\""));
        server.onRefresh(exchange -> LoginServer.send(exchange, 500, ""));
        Authorization first = current();
        time.moveBy(Duration.ofSeconds(70));
        assertThat(current()).isSameAs(first);
        heard.await(ClientEvent.LoginFailed.class, 1);
        time.moveBy(Duration.ofSeconds(1));
        assertThat(current()).isSameAs(first);
        heard.await(ClientEvent.LoggedIn.class, 2);
        assertThat(current()).isNotSameAs(first);
        assertThat(server.refreshes()).isEqualTo(1);
        assertThat(time.pauses()).isEmpty();
    }

    @Test
    void outageOfRefreshesAndLogins_costsOneRequestPerPause_andTheRefreshTokenIsKept() throws Exception {
        server.onLogin(exchange -> server.issue(exchange, ",\"refresh_token\":\"r1\""));
        server.onRefresh(LoginServer.answering(503, "Retry-After", "3"));
        Authorization first = current();
        server.onLogin(exchange -> {
            server.onRefresh(server::issue);
            LoginServer.send(exchange, 500, "");
        });
        assertThat(renewed(first)).isNotSameAs(first);
        assertThat(time.pauses()).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(2));
        assertThat(server.logins()).isEqualTo(2);
        renewed(current());
        assertThat(server.asked())
                .extracting(LoginServer.Asked::body)
                .filteredOn(body -> body.startsWith("grant_type"))
                .hasSize(3)
                .allMatch(body -> body.endsWith("refresh_token=r1"));
    }

    @Test
    void listenerThatFails_changesNothing() throws Exception {
        TokenAuthorizer told = TokenAuthorizer.of(
                server.endpoint(), ClientSettings.defaults().withClock(time).withListener(event -> {
                    throw new StackOverflowError();
                }));
        Authorization first = Authorizer.await(told.current());
        assertThat(Authorizer.await(told.renewalOf(first).orElseThrow())).isNotSameAs(first);
    }

    @Test
    void chanceThatFails_endsTheFlight() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        server.onLogin(exchange -> {
            failures.set(3);
            server.issue(exchange);
        });
        TokenAuthorizer broken = TokenAuthorizer.of(
                server.endpoint(),
                ClientSettings.defaults().withPatience(Duration.ofSeconds(LIMIT_SECONDS)),
                () -> {
                    if (failures.getAndDecrement() > 0) {
                        throw new IllegalStateException("no chance");
                    }
                    return 0L;
                },
                time::pause);
        assertThatThrownBy(() -> Authorizer.await(broken.current())).isInstanceOf(LoginFailedException.class);
        server.onLogin(server::issue);
        failures.set(0);
        assertThat(Authorizer.await(broken.current())).isNotNull();
    }

    @Test
    void chanceThatFailsAtAFailedLogin_endsTheFlightToo() throws Exception {
        AtomicInteger failures = new AtomicInteger(1);
        server.onLogin(exchange -> LoginServer.send(exchange, 401, ""));
        TokenAuthorizer broken = TokenAuthorizer.of(
                server.endpoint(),
                ClientSettings.defaults().withClock(time),
                () -> {
                    if (failures.getAndDecrement() > 0) {
                        throw new IllegalStateException("no chance");
                    }
                    return 0L;
                },
                time::pause);
        assertThatThrownBy(() -> Authorizer.await(broken.current())).isInstanceOf(LoginFailedException.class);
        server.onLogin(server::issue);
        assertThat(Authorizer.await(broken.current())).isNotNull();
    }

    private Authorization current() throws InterruptedException {
        return Authorizer.await(authorizer.current());
    }

    private Authorization renewed(Authorization refused) throws InterruptedException {
        Optional<CompletableFuture<Authorization>> renewal = authorizer.renewalOf(refused);
        return Authorizer.await(renewal.orElseThrow());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
