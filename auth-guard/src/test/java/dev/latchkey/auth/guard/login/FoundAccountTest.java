package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.login.Attempts.Account;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A found account counts under every name. */
class FoundAccountTest {

    private static final ClientSource HOME = Attempts.address("192.0.2.1");
    private static final Account BOB = new Account("{bcrypt}$2a$10$.a.salt.and.a.hash.of.bob", "bob's");

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final Attempts attempts = new Attempts(limits);

    /** A name that no folding makes the same as another's. */
    private static String spelling(int number) {
        return "ann" + number;
    }

    @Test
    void thousandSpellingsFromOneSource_haveTheGuessesOfOne() {
        int guesses = 0;
        for (int i = 0; i < 1_000; i++) {
            guesses += attempts.admits(spelling(i), HOME, "wrong" + i) ? 1 : 0;
        }
        assertThat(guesses).isEqualTo(5);
        assertThat(limits.stats().contended()).isZero();
    }

    @Test
    void thousandSpellingsFromAsManySources_haveTheGuessesOfOne() {
        int guesses = 0;
        for (int i = 0; i < 1_000; i++) {
            guesses += attempts.admits(spelling(i), Attempts.address(i), "wrong" + i) ? 1 : 0;
        }
        // The account's hundred, and its fresh lane.
        assertThat(guesses).isEqualTo(103);
    }

    @Test
    void spellingsThatOnlyLookDifferent_areOneBeforeAnythingIsFound() {
        assertThat(attempts.guesses(3, "ann", HOME)).isEqualTo(3);
        assertThat(attempts.refusal("\u00c1nn", HOME, "wrong", null)).isNull();
        assertThat(attempts.refusal("A N\u0303 n\u200b", HOME, "another", null)).isNull();
        assertThat(attempts.refusal("ANN", HOME, "third", null)).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    @ParameterizedTest
    @EnumSource(
            value = AttemptResult.class,
            names = {"OVERLOADED", "NOT_ATTEMPTED"})
    void loginRefusedAfterTheLookUp_costsNothing(AttemptResult result) {
        attempts.guesses(5, "ann", HOME);
        for (int i = 0; i < 20; i++) {
            settleRefused("other", result);
        }
        assertThat(attempts.refusal("other", HOME, "bob's", BOB)).isNull();
        assertThat(limits.stats().settled()).containsEntry(AttemptResult.NOT_ATTEMPTED, 20L);
    }

    /** A directory without stored hashes may have rejected the password before the look-up. */
    @Test
    void loginRefusedAfterTheLookUp_isAGuess_ifSettledAsAFailure() {
        attempts.guesses(5, "ann", HOME);
        for (int i = 0; i < 5; i++) {
            settleRefused("other", AttemptResult.FAILED);
        }
        assertThat(attempts.refusal("other", HOME, "bob's", BOB)).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    private void settleRefused(String name, AttemptResult result) {
        Reservation login = attempts.reserve(name, HOME, null).join().orThrow();
        assertThat(login.found(Account.ANN.hash()).join()).isInstanceOf(Admission.Refused.class);
        login.settle(result, null);
    }

    /** The first account may have no salted hash. */
    @ParameterizedTest
    @ValueSource(strings = {"{bcrypt}$2a$10$.a.salt.and.a.hash.of.bob", "{noop}bob's"})
    void secondAccountThatIsRefused_makesGuessesAtTheFirstNoCheaper(String first) {
        attempts.guesses(5, "ann", HOME);
        int guesses = 0;
        for (int i = 0; i < 20; i++) {
            Admission admission = attempts.reserve("bob", HOME, null).join();
            if (admission instanceof Admission.Admitted admitted) {
                Reservation login = admitted.reservation();
                guesses += login.found(first).join() instanceof Admission.Admitted ? 1 : 0;
                assertThat(login.found(Account.ANN.hash()).join()).isInstanceOf(Admission.Refused.class);
                login.settle(AttemptResult.NOT_ATTEMPTED, null);
            }
        }
        assertThat(guesses).isEqualTo(5);
    }

    @Test
    void accountThatIsFoundTwice_isCountedOnce() {
        for (int i = 0; i < 5; i++) {
            Reservation login = attempts.reserve("ann", HOME, null).join().orThrow();
            for (int j = 0; j < 10; j++) {
                assertThat(login.found(Account.ANN.hash()).join()).isInstanceOf(Admission.Admitted.class);
            }
            login.settle(AttemptResult.FAILED, null);
        }
    }

    /** A placeholder of accounts without a password is the same for many accounts; salted hashes are longer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "!",
                "{noop}!",
                "!none",
                "N/A",
                "{noop}no password is set here",
                "$2a$10$.............................."
            })
    void accountsWithoutAHash_haveNothingInCommon(String placeholder) {
        Account none = new Account(placeholder, "any");
        for (int i = 0; i < 40; i++) {
            assertThat(attempts.refusal("user" + i, HOME, "wrong", none)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/",
                "$P$B12345678L6Lpt4BxNotVIMILOa9u81",
                "5f4dcc3b5aa765d61d8327deb882cf99"
            })
    void shortestHashes_identifyTheirAccount(String hash) {
        Account old = new Account(hash, "right");
        for (int i = 0; i < 5; i++) {
            assertThat(attempts.refusal(spelling(i), HOME, "wrong" + i, old)).isNull();
        }
        assertThat(attempts.refusal(spelling(5), HOME, "wrong5", old)).isEqualTo(LoginLimit.ACCOUNT_AND_SOURCE);
    }

    /** A client that logged in stays known, with one reservation for all its logins. */
    @Test
    void accountWithoutAHash_staysAKnownPair() {
        Account none = new Account("{noop}any", "any");
        assertThat(attempts.refusal("ann", HOME, "any", none)).isNull();
        Reservation known = limits.reserveKnown("ann", HOME);
        assertThat(known).isNotNull();
        assertThat(known.found(none.hash()).join().orThrow()).isSameAs(known);
        assertThat(known.found(Account.ANN.hash()).join().orThrow()).isNotSameAs(known);
    }

    @Test
    void twoHundredParallelWrongLoginsInAsManySpellings_areFiveChecks() {
        assertThat(checksInParallel(AttemptResult.FAILED)).isEqualTo(5);
        assertThat(limits.stats().contended()).isZero();
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void twoHundredParallelRightLoginsInAsManySpellings_areAllChecked() {
        assertThat(checksInParallel(AttemptResult.SUCCEEDED)).isEqualTo(200);
        assertThat(limits.stats().contended()).isZero();
    }

    /** All ask at once. Admitted logins settle one by one, because each result admits the next login. */
    private int checksInParallel(AttemptResult result) {
        List<CompletableFuture<Reservation>> named = new ArrayList<>();
        Deque<CompletableFuture<Reservation>> found = new ArrayDeque<>();
        for (int i = 0; i < 200; i++) {
            named.add(attempts.reserve(spelling(i), HOME, null).thenApply(Admission::orThrow));
        }
        for (CompletableFuture<Reservation> each : named) {
            found.add(each.thenCompose(login -> login.found(Account.ANN.hash()).thenApply(admission -> {
                if (admission instanceof Admission.Refused) {
                    login.settle(AttemptResult.NOT_ATTEMPTED, null);
                }
                return admission.orThrow();
            })));
        }
        int checks = 0;
        int stuck = 0;
        while (!found.isEmpty() && stuck <= found.size()) {
            CompletableFuture<Reservation> next = found.remove();
            if (!next.isDone()) {
                found.add(next);
                stuck++;
            } else if (!next.isCompletedExceptionally()) {
                next.join().settle(result, null);
                checks++;
                stuck = 0;
            }
        }
        assertThat(found).isEmpty();
        return checks;
    }

    @Test
    void ownerByAnotherNameAtAKnownClient_isMeasuredByHisOwnFailuresThere() {
        assertThat(attempts.admits("ann", HOME, "right")).isTrue();
        for (int i = 0; i < 200; i++) {
            attempts.admits(spelling(i), Attempts.address(i), "wrong" + i);
        }
        assertThat(attempts.refusal("ann@example.org", HOME, "right")).isNull();
        assertThat(attempts.refusal("ann@example.net", Attempts.address(8), "wrong"))
                .isNull();
        assertThat(attempts.refusal("ann@example.com", Attempts.address(7), "right"))
                .isEqualTo(LoginLimit.ACCOUNT);
    }

    @Test
    void nameThatIsKnownHere_doesNotMakeAnotherAccountOfThatNameKnown() {
        for (int i = 0; i < 300; i++) {
            assertThat(attempts.refusal("ann", Attempts.address(i), "bob's", BOB))
                    .isNull();
        }
        int guesses = 0;
        for (int i = 0; i < 300; i++) {
            guesses += attempts.admits("ann", Attempts.address(i), "wrong" + i) ? 1 : 0;
            time.advance(Duration.ofMillis(1));
        }
        assertThat(guesses).isEqualTo(103);
    }
}
