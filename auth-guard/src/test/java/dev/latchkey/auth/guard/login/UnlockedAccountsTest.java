package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.login.Attempts.Account;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An operator gives the owner of an account the failed logins back. */
class UnlockedAccountsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final ClientSource OFFICE = Attempts.address("198.51.100.1");
    private static final ClientSource IPV6 = Attempts.address("2001:db8:1:2::7");

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final Attempts attempts = new Attempts(limits);

    private Set<LoginBucket> unlock(String account, @Nullable ClientSource source) {
        return limits.unlock(account, List.of(Account.ANN.hash()), source).join();
    }

    @Test
    void ownerWhoIsLockedOutAtAnAddress_hasAllFailuresAgain_andTheReasonIsNamed() {
        assertThat(attempts.guesses(9, "ann", HOME)).isEqualTo(5);
        assertThat(attempts.admits("ann", HOME, "right")).isFalse();
        assertThat(unlock("ANN", HOME)).containsExactly(LoginBucket.ACCOUNT_AND_SOURCE);
        assertThat(attempts.admits("ann", HOME, "right")).isTrue();
        assertThat(unlock("ann", HOME)).isEmpty();
    }

    @Test
    void foundAccount_isUnlockedToo_byEachOfItsNames() {
        assertThat(attempts.guesses(9, "ann@example.org", HOME)).isEqualTo(5);
        assertThat(attempts.admits("ann", HOME, "right")).isFalse();
        assertThat(limits.unlock("ann", List.of(), HOME).join()).isEmpty();
        assertThat(attempts.admits("ann", HOME, "right")).isFalse();
        assertThat(unlock("ann", HOME)).containsExactly(LoginBucket.ACCOUNT_AND_SOURCE);
        assertThat(attempts.admits("ann", HOME, "right")).isTrue();
    }

    @Test
    void knownClient_staysKnown_andHasAllFailuresAgain() {
        assertThat(attempts.admits("ann", HOME, "right")).isTrue();
        assertThat(attempts.guesses(25, "ann", HOME)).isEqualTo(20);
        assertThat(unlock("ann", HOME)).containsExactly(LoginBucket.KNOWN_CLIENT);
        assertThat(attempts.admits("ann", HOME, "right")).isTrue();
        assertThat(limits.knows("ann", HOME)).isTrue();
    }

    @Test
    void accountAlone_isUnlockedForUnknownClients_andTheBucketsOfAddressesStay() {
        for (int i = 0; i < 200; i++) {
            attempts.guesses(1, "ann", Attempts.address(i));
        }
        attempts.guesses(9, "ann", HOME);
        assertThat(unlock("ann", null)).contains(LoginBucket.ACCOUNT, LoginBucket.FRESH_ATTEMPTS);
        assertThat(attempts.admits("ann", OFFICE, "right")).isTrue();
        assertThat(unlock("ann", null)).isEmpty();
    }

    @Test
    void addressOfManyUsers_isUnlockedWithTheAccount() {
        for (int i = 0; i < 60; i++) {
            attempts.refusal("user" + i, IPV6, "wrong", null);
        }
        assertThat(attempts.admits("ann", IPV6, "right")).isFalse();
        assertThat(unlock("ann", IPV6)).containsExactly(LoginBucket.SOURCE);
        assertThat(attempts.admits("ann", IPV6, "right")).isTrue();
    }

    @Test
    void otherAccounts_stayAsTheyAre() {
        attempts.guesses(9, "ann", HOME);
        assertThat(limits.unlock("bob", List.of(), HOME).join()).isEmpty();
        assertThat(attempts.admits("ann", HOME, "right")).isFalse();
    }

    @Test
    void sharedLimits_areUnlockedForAllNodes() {
        LocalBucketStore store = LocalBucketStore.create(time);
        Attempts one = new Attempts(node(store));
        LoginLimits other = node(store);
        assertThat(one.guesses(9, "ann", HOME)).isEqualTo(5);
        assertThat(other.unlock("ann", List.of(Account.ANN.hash()), HOME).join())
                .containsExactly(LoginBucket.ACCOUNT_AND_SOURCE);
        // A node remembers a refusal for 20 ms.
        time.advance(Duration.ofMillis(20));
        assertThat(one.admits("ann", HOME, "right")).isTrue();
    }

    private LoginLimits node(LocalBucketStore store) {
        return LoginLimits.shared(
                LoginLimitSettings.defaults(),
                store,
                Secret.of("0123456789abcdef0123456789abcdef"),
                time,
                GuardListener.NONE);
    }
}
