package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.login.Attempts.Account;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Logins behind an unconfigured proxy, and logins without a request: no address for counts, and limits all the same.
 */
class UnknownSourcesTest {

    private static final String PROXY = "172.17.0.1";

    private final TrustedProxies proxies = TrustedProxies.undecided();
    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final Attempts attempts = new Attempts(limits);

    private ClientSource behindProxy(Map<String, String> fields) {
        HeaderFields headers = name -> fields.containsKey(name) ? List.of(fields.get(name)) : List.of();
        return proxies.sourceOf(PROXY, headers);
    }

    private ClientSource agent(String name) {
        return behindProxy(Map.of("User-Agent", name));
    }

    private ClientSource forwardedFor(String client) {
        return behindProxy(Map.of("X-Forwarded-For", client, "User-Agent", "the same"));
    }

    private static Account account(int number) {
        return new Account("{bcrypt}$2a$10$.a.salt.and.hash" + number, "right" + number);
    }

    @Test
    void loginWithoutARequest_isLimitedByItsAccount() {
        assertThat(attempts.guesses(1_000, "ann", ClientSource.UNKNOWN)).isEqualTo(101);
        assertThat(attempts.refusal("ann", ClientSource.UNKNOWN, "right")).isEqualTo(LoginLimit.ACCOUNT);
        assertThat(attempts.refusal("bob", ClientSource.UNKNOWN, "any", account(1)))
                .isNull();
    }

    @Test
    void loginsWithoutARequest_areLimitedTogether() {
        int guesses = 0;
        for (int i = 0; i < 10_000; i++) {
            guesses += attempts.refusal("user" + i, ClientSource.UNKNOWN, "wrong", null) == null ? 1 : 0;
        }
        // The shared budget, and the first minute of the lane for accounts without failures.
        assertThat(guesses).isEqualTo(560);
    }

    @Test
    void threeHundredAccountsSprayedThroughAnUnconfiguredProxy_lockNoOwnerOut() {
        for (int i = 0; i < 300; i++) {
            attempts.refusal("user" + i, agent("curl"), "Winter2026", account(i));
        }
        for (int i = 0; i < 600; i++) {
            assertThat(attempts.refusal("user" + i, agent("Browser " + "x".repeat(i % 500)), "right" + i, account(i)))
                    .isNull();
        }
    }

    @Test
    void sprayOnTheSharedBudget_leavesRoomForOtherAccounts_andIsLimited() {
        int guesses = 0;
        for (int second = 0; second < 600; second++) {
            for (int i = 0; i < 20; i++) {
                guesses += attempts.refusal("user" + guesses, agent("curl"), "Winter2026", null) == null ? 1 : 0;
            }
            time.advance(Duration.ofSeconds(1));
            assertThat(attempts.refusal("owner" + second, agent("Browser"), "right1", account(1)))
                    .isNull();
        }
        // 500, the refill of ten minutes, and one a second.
        assertThat(guesses).isBetween(2_000, 2_200);
    }

    @Test
    void accountUnderAttackHasNoPlaceInTheBucketOfQuietAccounts() {
        for (int i = 0; i < 10_000; i++) {
            attempts.refusal("user" + i, agent("curl"), "wrong", null);
        }
        time.advance(Duration.ofMillis(1_500));
        // The two tokens that returned to the common budget are for all callers; the token of the fresh bucket is not.
        assertThat(attempts.refusal("user1", agent("Browser"), "right", null)).isNull();
        assertThat(attempts.refusal("user2", agent("Browser"), "right", null)).isNull();
        assertThat(attempts.refusal("user3", agent("Browser"), "right", null)).isEqualTo(LoginLimit.UNKNOWN_SOURCES);
        assertThat(attempts.refusal("quiet", agent("Browser"), "right", null)).isNull();
        assertThat(attempts.refusal("other", agent("Browser"), "right", null)).isEqualTo(LoginLimit.UNKNOWN_SOURCES);
    }

    @Test
    void fieldThatAnybodyCanSend_takesNoLimitAway() {
        int guesses = 0;
        for (int i = 0; i < 1_000; i++) {
            guesses += attempts.admits("ann", forwardedFor("x" + i), "wrong" + i) ? 1 : 0;
        }
        assertThat(guesses).isEqualTo(101);
        ClientSource direct = proxies.sourceOf("203.0.113.9", name -> List.of("x"));
        assertThat(direct).isEqualTo(Attempts.address("203.0.113.9"));
    }

    @Test
    void ownerAtAKnownClient_isNotDrainedByOthersBehindTheSameProxy() {
        assertThat(attempts.admits("ann", agent("Browser"), "right")).isTrue();
        assertThat(attempts.admits("ann", forwardedFor("192.0.2.1"), "right")).isTrue();
        for (int i = 0; i < 2_000; i++) {
            attempts.admits("ann", agent("curl"), "wrong" + i);
            attempts.admits("ann", forwardedFor("198.51.100.1"), "wrong" + i);
            attempts.admits("user" + i, agent("curl"), "wrong");
        }
        for (int i = 0; i < 50; i++) {
            assertThat(attempts.refusal("ann", agent("Browser"), "right")).isNull();
            assertThat(attempts.refusal("ann", forwardedFor("192.0.2.1"), "right"))
                    .isNull();
        }
    }

    @Test
    void repeatsFromElsewhere_takeNothingOfAKnownClient() {
        assertThat(attempts.admits("ann", agent("Browser"), "right")).isTrue();
        assertThat(attempts.admits("ann", agent("Browser"), "old")).isTrue();
        // By an overload the right password may be one that came before.
        Reservation overloaded = limits.reserve(new LoginAttempt("ann", agent("Browser")), "right")
                .join()
                .orThrow();
        overloaded.settle(AttemptResult.OVERLOADED, "right");
        drainRepeats();
        for (int i = 0; i < 12; i++) {
            assertThat(attempts.refusal("ann", agent("Browser"), "old")).isNull();
            assertThat(attempts.refusal("ann", agent("Browser"), "right")).isNull();
        }
    }

    @Test
    void repeatsAtAKnownClient_areBoundedToo_andTakeNothingFromAnother() {
        for (String agent : List.of("Browser", "Phone")) {
            assertThat(attempts.admits("ann", agent(agent), "right")).isTrue();
            assertThat(attempts.admits("ann", agent(agent), "old")).isTrue();
        }
        drainRepeats();
        for (String agent : List.of("Browser", "Phone")) {
            for (int i = 0; i < 60; i++) {
                assertThat(attempts.refusal("ann", agent(agent), "old")).isNull();
            }
            assertThat(attempts.refusal("ann", agent(agent), "old")).isEqualTo(LoginLimit.REPEATS);
        }
    }

    /** ClientKeys the password is not shown first, only the end of the login tells that it came before. */
    @Test
    void repeatThatIsSeenLate_takesNothingFromElsewhereEither() {
        assertThat(attempts.admits("ann", agent("Browser"), "right")).isTrue();
        drainRepeats();
        for (int i = 0; i < 50; i++) {
            limits.reserve(new LoginAttempt("ann", agent("Browser")), null)
                    .join()
                    .orThrow()
                    .settle(AttemptResult.FAILED, "old");
        }
        assertThat(attempts.refusal("ann", agent("Browser"), "right")).isNull();
    }

    /** A caller with the name alone repeats one wrong password. */
    private void drainRepeats() {
        LoginLimit refusal = null;
        for (int i = 0; i < 100 && refusal == null; i++) {
            refusal = attempts.refusal("ann", agent("curl"), "old");
        }
        assertThat(refusal).isEqualTo(LoginLimit.REPEATS);
    }

    @Test
    void clientOfAnUnknownSource_givesAnUnknownClientNoBudget() {
        int guesses = 0;
        for (int i = 0; i < 1_000; i++) {
            guesses += attempts.admits("ann", agent("agent" + "x".repeat(i % 500)), "wrong" + i) ? 1 : 0;
        }
        assertThat(guesses).isEqualTo(101);
    }

    @Test
    void callerThatSendsTheOwnersData_sharesTheOwnersBudgetAndItsBound() {
        assertThat(attempts.admits("ann", agent("Browser"), "right")).isTrue();
        assertThat(attempts.guesses(1_000, "ann", agent("Browser"))).isEqualTo(20);
    }

    @Test
    void clientsDifferByConnectionFieldsAndAgent_andByNothingElse() {
        ClientSource client = behindProxy(Map.of("X-Forwarded-For", "192.0.2.1", "User-Agent", "a"));
        assertThat(behindProxy(Map.of("X-Forwarded-For", "192.0.2.1", "User-Agent", "a", "Cookie", "x=1")))
                .isEqualTo(client);
        assertThat(List.of(
                        behindProxy(Map.of("X-Forwarded-For", "192.0.2.2", "User-Agent", "a")),
                        behindProxy(Map.of("X-Forwarded-For", "192.0.2.1", "User-Agent", "b")),
                        behindProxy(Map.of("Forwarded", "192.0.2.1", "User-Agent", "a")),
                        behindProxy(Map.of("X-Forwarded-For", "192.0.2.1")),
                        behindProxy(Map.of("User-Agent", "a")),
                        behindProxy(Map.of())))
                .doesNotHaveDuplicates()
                .doesNotContain(client);
        assertThat(proxies.sourceOf("172.17.0.2", name -> List.of())).isNotEqualTo(behindProxy(Map.of()));
    }

    @Test
    void updateOfABrowserMakesNoOtherClient_anotherBrowserDoes() {
        assertThat(agent("Mozilla/5.0 Chrome/131.0.6778.86")).isEqualTo(agent("Mozilla/5.0 Chrome/132.0.6834.15"));
        assertThat(agent("Chrome/99")).isEqualTo(agent("Chrome/100"));
        assertThat(agent("Mozilla/5.0 Chrome/131.0")).isNotEqualTo(agent("Mozilla/5.0 Firefox/131.0"));
    }

    @Test
    void addressesOfOneIpv6Network_areOneClient() {
        assertThat(forwardedFor("2001:db8:1:2::1")).isEqualTo(forwardedFor("2001:db8:1:2:ffff::9"));
        assertThat(forwardedFor("2001:db8:1:3::1")).isNotEqualTo(forwardedFor("2001:db8:1:2::1"));
    }

    @Test
    void endlessFieldsCostLittle_andTheFieldOfTheProxyStillCounts() {
        String long1 = "x".repeat(1 << 20);
        assertThat(forwardedFor(long1 + ", 192.0.2.1")).isNotEqualTo(forwardedFor(long1 + ", 192.0.2.2"));
        assertThat(forwardedFor(long1 + ", 192.0.2.1")).isEqualTo(forwardedFor("y" + long1 + ", 192.0.2.1"));
    }

    @Test
    void unixSocketBehindAProxy_hasKnownClientsToo() {
        ClientSource ann = proxies.sourceOf("unix:", name -> List.of("192.0.2.1"));
        assertThat(ann.isKnown()).isFalse();
        assertThat(ann).isNotEqualTo(proxies.sourceOf("unix:", name -> List.of("192.0.2.2")));
        assertThat(proxies.sourceOf("unix:", name -> List.of())).isEqualTo(ClientSource.UNKNOWN);
        assertThat(proxies.sourceOf(null, name -> List.of())).isEqualTo(ClientSource.UNKNOWN);
    }

    @Test
    void serviceInDevelopmentOnLoopback_staysUsable() {
        ClientSource browser = proxies.sourceOf("127.0.0.1", name -> List.of("Browser"));
        for (int i = 0; i < 15; i++) {
            assertThat(attempts.refusal("ann", browser, "typo" + i)).isNull();
            assertThat(attempts.refusal("ann", browser, "right")).isNull();
        }
    }
}
