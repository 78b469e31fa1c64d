package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One IPv6 site has 65,536 customer networks. */
@Tag("long")
class WideSourcesTest {

    private static final ClientSource ELSEWHERE = Attempts.address("2001:db8:2::1");

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final Attempts attempts = new Attempts(limits);

    private static ClientSource inSite(int network) {
        return Attempts.address("2001:db8:1:" + Integer.toHexString(network) + "::1");
    }

    @Tag("many-times")
    @Test
    void siteHasTheGuessesOfASite_howeverManyNetworksItUses() {
        int guesses = 0;
        for (int i = 0; i < 65_536; i++) {
            guesses += attempts.admits("ann", inSite(i), "wrong" + i) ? 1 : 0;
        }
        assertThat(guesses).isEqualTo(10);
    }

    @Test
    void siteThatSpraysManyAccounts_isHeldToTheBudgetOfASite() {
        int guesses = 0;
        for (int i = 0; i < 10_000; i++) {
            guesses += attempts.refusal("user" + i, inSite(i), "wrong", null) == null ? 1 : 0;
        }
        assertThat(guesses).isEqualTo(100);
        assertThat(attempts.refusal("user1", inSite(9_999), "wrong", null)).isEqualTo(LoginLimit.SOURCE);
        assertThat(attempts.refusal("user1", ELSEWHERE, "wrong", null)).isNull();
    }

    @Test
    void siteThatHasFailed_isNotFresh_soThatTheOwnerElsewhereGetsInAtOnce() {
        for (int i = 0; i < 100; i++) {
            attempts.admits("ann", Attempts.address(i), "wrong" + i);
        }
        attempts.admits("other", inSite(0), "wrong");
        for (int i = 1; i < 1_000; i++) {
            attempts.admits("ann", inSite(i), "wrong" + i);
        }
        assertThat(attempts.refusal("ann", ELSEWHERE, "right")).isNull();
        assertThat(attempts.refusal("ann", inSite(5_000), "right")).isNotNull();
    }

    @Test
    void networkOfACustomer_hasItsOwnGuessesWithinTheSite() {
        for (int i = 0; i < 5; i++) {
            assertThat(attempts.admits("ann", inSite(1), "wrong" + i)).isTrue();
        }
        assertThat(attempts.refusal("ann", inSite(1), "sixth")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
        assertThat(attempts.admits("ann", inSite(2), "other")).isTrue();
    }

    @Test
    void networkThatHasLoggedIn_isNotDrainedByItsSite() {
        assertThat(attempts.admits("ann", inSite(1), "right")).isTrue();
        for (int i = 2; i < 2_000; i++) {
            attempts.admits("ann", inSite(i), "wrong" + i);
            attempts.refusal("user" + i, inSite(i), "wrong", null);
        }
        time.advance(Duration.ofDays(1));
        assertThat(attempts.refusal("ann", inSite(1), "right")).isNull();
    }
}
