package dev.latchkey.auth.guard.login;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.source.ClientSource;
import org.junit.jupiter.api.Test;

/** The limits as the gate of a chain: the counted credentials, and no password in memory. */
class GatedLoginsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final Verdict WRONG = Rejected.because(RejectionReason.BAD_CREDENTIALS);
    private static final Verdict RIGHT = Authenticated.as(Subject.of("ann"));
    private static final Credentials UNTYPED = new Credentials() {};

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final LoginLimitGate logins = new LoginLimitGate(limits, WaitingThreads.atMost(1), () -> HOME);
    private final Attempts attempts = new Attempts(limits);

    /** Decisions that were asked for. */
    private int decisions;

    private Verdict decided(Verdict verdict) {
        decisions++;
        return verdict;
    }

    private Verdict fails(Credentials credentials, String account) {
        return logins.decide(credentials, account, () -> decided(WRONG));
    }

    private Verdict fails(String password) {
        return asAnn(Secret.of(password), WRONG);
    }

    private Verdict succeeds() {
        return asAnn(Secret.of("right"), RIGHT);
    }

    private Verdict asAnn(Secret password, Verdict verdict) {
        return logins.decide(new PasswordCredentials("ann", password), "ann", () -> {
            logins.requireFound(Attempts.Account.ANN.hash());
            return decided(verdict);
        });
    }

    @Test
    void credentialsWithoutAnAccount_passUncounted() {
        for (int i = 0; i < 100; i++) {
            assertThat(fails(UNTYPED, "")).isSameAs(WRONG);
        }
        assertThat(limits.stats().admitted()).isZero();
    }

    @Test
    void passwordOfAnEmptyName_isCounted() {
        for (int i = 0; i < 5; i++) {
            assertThat(fails(new PasswordCredentials("", Secret.of("wrong" + i)), ""))
                    .isSameAs(WRONG);
        }
        assertThatThrownBy(() -> fails(new PasswordCredentials("", Secret.of("another")), ""))
                .isInstanceOf(AuthUnavailableException.class);
        assertThat(decisions).isEqualTo(5);
    }

    /** Without a stored hash: a source may have an account {@code Hugo} and another account {@code hugo}. */
    @Test
    void successOfAnotherSpelling_makesNoClientKnown() {
        Verdict verdict =
                logins.decide(new PasswordCredentials("Hugo", Secret.of("right")), "Hugo", () -> decided(RIGHT));
        assertThat(verdict).isSameAs(RIGHT);
        assertThat(limits.knows("Hugo", HOME)).isTrue();
        assertThat(limits.knows("hugo", HOME)).isFalse();
        for (int i = 0; i < 5; i++) {
            assertThat(fails(new PasswordCredentials("hugo", Secret.of("wrong" + i)), "hugo"))
                    .isSameAs(WRONG);
        }
        assertThatThrownBy(() -> fails(new PasswordCredentials("hugo", Secret.of("another")), "hugo"))
                .isInstanceOf(AuthUnavailableException.class);
    }

    @Test
    void successWithAnotherKindOfCredentials_makesNoClientKnownForPasswords() {
        assertThat(logins.decide(UNTYPED, "ann", () -> decided(RIGHT))).isSameAs(RIGHT);
        assertThat(limits.knows("ann", HOME)).isFalse();
        assertThat(limits.reserveKnown("ann", HOME)).isNull();
        for (int i = 0; i < 5; i++) {
            assertThat(logins.decide(UNTYPED, "ann", () -> decided(RIGHT))).isSameAs(RIGHT);
        }
    }

    @Test
    void otherCredentialsThatNameAnAccount_areCounted_eachAsAGuess() {
        for (int i = 0; i < 5; i++) {
            assertThat(fails(UNTYPED, "ann")).isSameAs(WRONG);
        }
        assertThatThrownBy(() -> fails(UNTYPED, "ann")).isInstanceOf(AuthUnavailableException.class);
        assertThat(decisions).isEqualTo(5);
    }

    @Test
    void chainThatIsAskedWithinADecision_isAPartOfTheSameLogin() {
        assertThat(logins.decide(UNTYPED, "ann", this::succeeds)).isSameAs(RIGHT);
        assertThat(limits.stats().admitted()).isEqualTo(1);
    }

    @Test
    void repeatedPassword_isKnownBeforeItCostsADecision() {
        for (int i = 0; i < 61; i++) {
            assertThat(fails("old")).isSameAs(WRONG);
        }
        assertThatThrownBy(() -> fails("old")).isInstanceOf(AuthUnavailableException.class);
        assertThat(limits.stats().refused()).containsEntry(LoginLimit.REPEATS, 1L);
        assertThat(decisions).isEqualTo(61);
        assertThat(succeeds()).isSameAs(RIGHT);
    }

    @Test
    void repeatedPasswordOfAKnownPair_isOneGuess() {
        succeeds();
        for (int i = 0; i < 30; i++) {
            fails("old");
        }
        assertThat(attempts.guesses(50, "ann", HOME)).isEqualTo(19);
    }

    @Test
    void passwordThatAPluginHasWiped_isAWrongOneLikeNoOther() {
        for (int i = 0; i < 5; i++) {
            Secret wiped = Secret.of("old");
            wiped.close();
            assertThat(asAnn(wiped, WRONG)).isSameAs(WRONG);
        }
        assertThatThrownBy(() -> fails("another")).isInstanceOf(AuthUnavailableException.class);
        assertThat(decisions).isEqualTo(5);
    }

    @Test
    void passwordThatAPluginWipes_changesNoVerdict() {
        succeeds();
        Secret password = Secret.of("old");
        Verdict verdict = logins.decide(new PasswordCredentials("ann", password), "ann", () -> {
            logins.requireFound(Attempts.Account.ANN.hash());
            password.close();
            return WRONG;
        });
        assertThat(verdict).isSameAs(WRONG);
        assertThat(limits.stats().contended()).isZero();
        assertThat(attempts.guesses(50, "ann", HOME)).isEqualTo(19);
    }

    @Test
    void partOfALoginThatAnotherThreadBegan_isNotCountedOnceMore_andEndsWithThePart() {
        Reservation login = requireNonNull(logins.begin("ann", null));
        assertThat(login).isSameAs(logins.within(login, () -> login));
        logins.end(login, AttemptResult.NOT_ATTEMPTED, null);
        assertThat(logins.within(login, this::succeeds)).isSameAs(RIGHT);
        assertThat(limits.stats().admitted()).isEqualTo(1);
        assertThat(succeeds()).isSameAs(RIGHT);
        assertThat(limits.stats().admitted()).isEqualTo(2);
    }
}
