package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.LimitKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.login.Attempts.Account;
import dev.latchkey.auth.guard.login.LoginLimitSettings.Memory;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of known clients: one account fills at most a hundredth. */
@Tag("long")
class KnownClientsTest {

    private static final int MOST = 2_000;
    private static final int OF_ONE_ACCOUNT = MOST / 100;
    private static final Duration MONTH = Duration.ofDays(30);
    private static final LoginLimitSettings SETTINGS =
            LoginLimitSettings.defaults().withMemory(new Memory(MONTH, MOST));

    private final ManualTime time = new ManualTime();
    private final LimitKeys keys = LimitKeys.random();
    private final SourceHistory history = new SourceHistory(SETTINGS, time);

    @Test
    void accountThatLogsInFromEverywhere_pushesNoOtherOut() {
        LoginLimits limits = LoginLimits.local(SETTINGS, time, GuardListener.NONE);
        Attempts attempts = new Attempts(limits);
        int owners = MOST / 4;
        for (int i = 0; i < owners; i++) {
            attempts.refusal(
                    "owner" + i,
                    Attempts.address(i),
                    "right",
                    new Account("{bcrypt}$2a$10$.a.salt.and.hash" + i, "right"));
        }
        Account everywhere = new Account("{bcrypt}$2a$10$.a.salt.and.hash.of.everywhere", "right");
        for (int i = 0; i < 10 * MOST; i++) {
            attempts.refusal("everywhere", Attempts.address(i), "right", everywhere);
        }
        assertThat(limits.stats().remembered()).isLessThanOrEqualTo(2L * (owners + OF_ONE_ACCOUNT));
        assertThat(IntStream.range(0, owners).filter(i -> limits.knows("owner" + i, Attempts.address(i))))
                .hasSize(owners);
    }

    @Test
    void replacedHashOfTheSamePassword_keepsTheKnownClients() {
        LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
        Attempts attempts = new Attempts(limits);
        Account weak = new Account("{bcrypt}$2a$04$.a.salt.and.a.weak.hash", "right");
        Account strong = new Account("{bcrypt}$2a$12$.a.salt.and.a.strong.hash", "right");
        assertThat(attempts.refusal("ann", Attempts.address(0), "right", weak)).isNull();
        for (int i = 1; i <= 200; i++) {
            attempts.refusal("ann", Attempts.address(i), "wrong" + i, strong);
        }
        assertThat(attempts.refusal("ann", Attempts.address(0), "right", strong))
                .as("a changed password")
                .isNotNull();
        limits.replaced(weak.hash(), strong.hash());
        assertThat(attempts.refusal("ann", Attempts.address(0), "right", strong))
                .isNull();
    }

    /** Logins of a moment each replace the hash that they have read, and the last store wins. Later, all are replaced again. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void parallelReplacements_keepTheKnownClients_underEachHash(int hash) {
        LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
        Attempts attempts = new Attempts(limits);
        String old = "{bcrypt}$2a$04$.a.salt.and.a.weak.hash";
        assertThat(attempts.refusal("ann", Attempts.address(0), "right", new Account(old, "right")))
                .isNull();
        limits.replaced(old, strong(1));
        limits.replaced(old, strong(2));
        assertThat(attempts.refusal("ann", Attempts.address(0), "right", new Account(strong(2), "right")))
                .isNull();
        limits.replaced(strong(1), strong(3));
        limits.replaced(strong(2), strong(4));
        Account account = new Account(strong(hash), "right");
        for (int i = 1; i <= 200; i++) {
            attempts.refusal("ann", Attempts.address(i), "wrong" + i, account);
        }
        assertThat(attempts.refusal("ann", Attempts.address(0), "right", account))
                .isNull();
    }

    private static String strong(int salt) {
        return "{bcrypt}$2a$12$.salt." + salt + ".and.a.strong.hash";
    }

    /** A login for a refresh token replaces the hash itself; with a second step, the login ends minutes later. */
    @Test
    void hashReplacedDuringTheLogin_leavesTheClientOfTheLoginKnown() {
        LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
        Attempts attempts = new Attempts(limits);
        Account weak = new Account("{bcrypt}$2a$04$.a.salt.and.a.weak.hash", "right");
        Account strong = new Account("{bcrypt}$2a$12$.a.salt.and.a.strong.hash", "right");
        Reservation login =
                attempts.reserve("ann", Attempts.address(0), "right").join().orThrow();
        login.found(weak.hash()).join();
        limits.replaced(weak.hash(), strong.hash());
        login.settle(AttemptResult.SUCCEEDED, "right");
        for (int i = 1; i <= 200; i++) {
            attempts.refusal("ann", Attempts.address(i), "wrong" + i, strong);
        }
        assertThat(attempts.refusal("ann", Attempts.address(0), "right", strong))
                .isNull();
    }

    @Test
    void clientThatLoggedInLongestAgo_isForgottenFirst() {
        for (int i = 0; i < OF_ONE_ACCOUNT; i++) {
            history.succeeded(ann(i));
        }
        history.succeeded(ann(0));
        history.succeeded(ann(OF_ONE_ACCOUNT));
        assertThat(IntStream.rangeClosed(0, OF_ONE_ACCOUNT).filter(i -> !history.knows(ann(i))))
                .containsExactly(1);
    }

    /** A caller with the password and without the second factor comes from any number of addresses. */
    @Test
    void rightPasswordsAlone_pushNoClientOutThatHasPassedAllSteps() {
        history.passedAllSteps(ann(0));
        for (int i = 1; i <= 3 * OF_ONE_ACCOUNT; i++) {
            history.matched(ann(i));
            history.challenged(ann(i));
        }
        assertThat(history.knowsByAllSteps(ann(0))).isTrue();
    }

    /** As it is before an account has a second step, and for a while after. */
    @Test
    void rightPasswordsAlone_areForgottenWhereAllClientsHaveDoneMore() {
        for (int i = 0; i < OF_ONE_ACCOUNT; i++) {
            history.succeeded(ann(i));
        }
        history.matched(ann(OF_ONE_ACCOUNT));
        assertThat(history.knowsPassword(ann(OF_ONE_ACCOUNT))).isFalse();
        assertThat(IntStream.range(0, OF_ONE_ACCOUNT).allMatch(i -> history.knows(ann(i))))
                .isTrue();
    }

    @Test
    void eachClientIsForgottenAMonthAfterItsLastLogin_despiteLoginsOfOthers() {
        history.succeeded(ann(0));
        history.succeeded(ann(1));
        time.advance(Duration.ofDays(10));
        history.succeeded(ann(1));
        time.advance(Duration.ofDays(20).minusNanos(1));
        assertThat(history.knows(ann(0))).isTrue();
        time.advance(Duration.ofNanos(1));
        assertThat(history.knows(ann(0))).isFalse();
        assertThat(history.knows(ann(1))).isTrue();
        time.advance(Duration.ofDays(10));
        assertThat(history.knows(ann(1))).isFalse();
    }

    @Test
    void clientWhoseTimeIsOver_makesRoomBeforeAnyOther() {
        history.passedAllSteps(ann(0));
        time.advance(Duration.ofDays(20));
        history.matched(ann(1));
        time.advance(Duration.ofDays(10));
        for (int i = 2; i <= OF_ONE_ACCOUNT; i++) {
            history.matched(ann(i));
        }
        assertThat(IntStream.rangeClosed(1, OF_ONE_ACCOUNT).allMatch(i -> history.knowsPassword(ann(i))))
                .isTrue();
    }

    @Test
    void smallMemory_leavesAnAccountAFewClients() {
        SourceHistory small = new SourceHistory(SETTINGS.withMemory(new Memory(MONTH, 50)), time);
        for (int i = 0; i < 10; i++) {
            small.succeeded(ann(i));
        }
        assertThat(IntStream.range(0, 10).allMatch(i -> small.knows(ann(i)))).isTrue();
    }

    private AccountKeys ann(int address) {
        ClientSource source = Attempts.address(address);
        return keys.named("ann", "ann", keys.client(source));
    }
}
