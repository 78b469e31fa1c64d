package dev.latchkey.auth.guard.login;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Logins without a hash in time: free for unknown clients, without information for them, and a guess for a known
 * client.
 */
class OverloadedLoginsTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final ClientSource ELSEWHERE = Attempts.address("198.51.100.1");
    private static final String HASH = Attempts.Account.ANN.hash();

    private final ManualTime time = new ManualTime();

    /** ClientKeys buckets are kept. */
    enum Buckets {
        LOCAL,
        SHARED;

        private LoginLimits limits(ManualTime time) {
            return this == LOCAL
                    ? LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE)
                    : LoginLimits.shared(
                            LoginLimitSettings.defaults(),
                            LocalBucketStore.create(time),
                            Secret.of("k".repeat(32)),
                            time,
                            GuardListener.NONE);
        }
    }

    @ParameterizedTest
    @EnumSource(Buckets.class)
    void guessesAtAKnownClient_costAsMuchAsWrongPasswords(Buckets buckets) {
        LoginLimits limits = buckets.limits(time);
        Attempts attempts = new Attempts(limits);
        attempts.admits("ann", HOME, "right");
        for (int i = 0; i < 20; i++) {
            assertThat(overload(limits, HOME, "guess" + i)).isNull();
        }
        assertThat(overload(limits, HOME, "one more")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
        assertThat(attempts.refusal("ann", HOME, "right")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
        assertThat(limits.stats().contended()).isZero();
    }

    /** Else each login of the owner would be followed by some that take no token. */
    @ParameterizedTest
    @EnumSource(Buckets.class)
    void guessesAtAKnownClient_areNotFreeAgainAfterEachLoginOfTheOwner(Buckets buckets) {
        LoginLimits limits = buckets.limits(time);
        Attempts attempts = new Attempts(limits);
        attempts.admits("ann", HOME, "right");
        for (int i = 0; i < 20; i++) {
            assertThat(overload(limits, HOME, "guess" + i)).isNull();
            attempts.admits("ann", HOME, "right");
            assertThat(limits.reserveKnown("ann", HOME))
                    .as("a login without a token")
                    .isNull();
        }
        assertThat(overload(limits, HOME, "one more")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    @Test
    void passwordThatComesAgain_costsOnce_andNoneOfTheRepeats() {
        LoginLimits limits = Buckets.LOCAL.limits(time);
        Attempts attempts = new Attempts(limits);
        attempts.admits("ann", HOME, "right");
        for (int i = 0; i < 1_000; i++) {
            assertThat(overload(limits, HOME, "forgotten by the cache")).isNull();
        }
        assertThat(attempts.guesses(30, "ann", HOME)).isEqualTo(19);
        for (int i = 0; i < 1 + 60; i++) {
            assertThat(attempts.refusal("bob", HOME, "old", null)).isNull();
        }
    }

    @Test
    void unknownClients_payNothing_andNoOtherClientPaysForThem() {
        LoginLimits limits = Buckets.LOCAL.limits(time);
        Attempts attempts = new Attempts(limits);
        attempts.admits("ann", HOME, "right");
        for (int i = 0; i < 1_000; i++) {
            assertThat(overload(limits, ELSEWHERE, "guess" + i)).isNull();
        }
        assertThat(limits.stats().settled())
                .containsEntry(AttemptResult.NOT_ATTEMPTED, 1_000L)
                .containsEntry(AttemptResult.OVERLOADED, 0L);
        assertThat(attempts.guesses(10, "ann", ELSEWHERE)).isEqualTo(5);
        assertThat(attempts.refusal("ann", HOME, "right")).isNull();
    }

    /** The hash is unknown here: the remembered password belongs to the earlier hash. */
    @Test
    void clientThatKnewAnotherPasswordOfTheAccount_isUnknownForThisPassword() {
        LoginLimits limits = Buckets.LOCAL.limits(time);
        new Attempts(limits).admits("ann", HOME, "right");
        Reservation login =
                limits.reserve(new LoginAttempt("ann", HOME), "new").join().orThrow();
        assertThat(login.mayRecall()).isTrue();
        assertThat(login.found(HASH + "changed").join().orThrow().mayRecall()).isFalse();
        login.settle(AttemptResult.OVERLOADED, "new");
        assertThat(limits.stats().settled()).containsEntry(AttemptResult.NOT_ATTEMPTED, 1L);
    }

    @Test
    void cachedPassword_mayAnswerAtAKnownClient_andOutsideOfALogin() {
        LoginLimits limits = Buckets.LOCAL.limits(time);
        new Attempts(limits).admits("ann", HOME, "right");
        ClientSource[] here = {HOME};
        LoginLimitGate logins = new LoginLimitGate(limits, WaitingThreads.atMost(1), () -> here[0]);
        assertThat(logins.requireFound(HASH)).isTrue();
        assertThat(mayRecall(logins, "ann")).isTrue();
        Reservation login = requireNonNull(logins.begin("ANN", null));
        assertThat(logins.mayRecall())
                .as("another spelling, which may be another account")
                .isFalse();
        assertThat(logins.requireFound(HASH)).as("the same account").isTrue();
        logins.end(login, AttemptResult.NOT_ATTEMPTED, null);
        here[0] = ELSEWHERE;
        assertThat(mayRecall(logins, "ann")).isFalse();
        here[0] = ClientSource.UNKNOWN;
        assertThat(mayRecall(logins, "ann")).isFalse();
    }

    @Test
    void overloadAfterAShownPassword_costsAGuess_andAnOutageOnlyAfterARejection() {
        LoginLimits limits = Buckets.LOCAL.limits(time);
        new Attempts(limits).admits("ann", HOME, "right");
        LoginLimitGate logins = new LoginLimitGate(limits, WaitingThreads.atMost(1), () -> HOME);
        for (AuthUnavailableException end : new AuthUnavailableException[] {
            AuthUnavailableException.overload("busy", Duration.ZERO),
            AuthUnavailableException.throttled("too many", Duration.ZERO),
            AuthUnavailableException.outage("down"),
            AuthUnavailableException.outage("down").afterRejection()
        }) {
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> logins.decide(new PasswordCredentials("ann", Secret.of("guess")), "ann", () -> {
                        throw end;
                    }))
                    .isSameAs(end);
        }
        assertThat(limits.stats().settled())
                .containsEntry(AttemptResult.OVERLOADED, 2L)
                .containsEntry(AttemptResult.NOT_ATTEMPTED, 1L)
                .containsEntry(AttemptResult.FAILED, 1L);
    }

    /**
     * The owner's client continues with the password, though another step is wanted: the answers reveal nothing new,
     * and must not cost a hash each time.
     */
    @Test
    void clientWhereThePasswordWasRight_mayBeAnswered_andPaysAsMuchAsAnUnknownClient() {
        LoginLimits limits = Buckets.LOCAL.limits(time);
        Attempts attempts = new Attempts(limits);
        Reservation login = attempts.reserve("ann", HOME, "right").join().orThrow();
        assertThat(login.found(HASH).join().orThrow().mayRecall()).isFalse();
        login.matched();
        login.settle(AttemptResult.NOT_ATTEMPTED, "right");
        assertThat(limits.knows("ann", HOME)).isFalse();
        for (int i = 0; i < 5; i++) {
            Reservation next = attempts.reserve("ann", HOME, "guess" + i).join().orThrow();
            assertThat(next.found(HASH).join().orThrow().mayRecall()).isTrue();
            next.settle(AttemptResult.OVERLOADED, "guess" + i);
        }
        assertThat(attempts.refusal("ann", HOME, "right")).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    private static boolean mayRecall(LoginLimitGate logins, String name) {
        Reservation login = logins.begin(name, null);
        try {
            boolean byName = logins.mayRecall();
            assertThat(logins.requireFound(HASH)).isEqualTo(byName);
            return byName;
        } finally {
            if (login != null) {
                logins.end(login, AttemptResult.NOT_ATTEMPTED, null);
            }
        }
    }

    /** The limit that rejected a login to Ann's account without a hash; null after an admission. */
    private static @Nullable LoginLimit overload(LoginLimits limits, ClientSource from, String password) {
        Admission admission =
                new Attempts(limits).reserve("ann", from, password).join();
        if (admission instanceof Admission.Refused refused) {
            return refused.limit();
        }
        Reservation login = admission.orThrow();
        assertThat(login.found(HASH).join()).isInstanceOf(Admission.Admitted.class);
        login.settle(AttemptResult.OVERLOADED, password);
        return null;
    }
}
