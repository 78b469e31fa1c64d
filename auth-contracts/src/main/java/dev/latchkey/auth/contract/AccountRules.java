package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.Account;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Accounts that there are not, and those that a login can be prolonged for. */
interface AccountRules extends Rules {

    @TestFactory
    default Stream<DynamicTest> unknownAccount_isNeverAuthenticated() throws Exception {
        return trial().fixture().credentialsOfUnknownAccount().stream()
                .map(unknown -> dynamicTest(
                        "unknown account", () -> Trial.assertNobody(trial().open(), "an unknown account", unknown)));
    }

    @Test
    default void unrecognized_isSpentOnAnybody_andChangesNothing() throws Exception {
        AuthPlugin plugin = trial().open();
        List<PasswordCredentials> presented = new ArrayList<>();
        Hostile.TEXTS.forEach(text -> presented.add(new PasswordCredentials(text, Secret.of(text))));
        trial().fixture().credentialsOfUnknownAccount().stream()
                .filter(PasswordCredentials.class::isInstance)
                .forEach(unknown -> presented.add((PasswordCredentials) unknown));
        for (PasswordCredentials credentials : presented) {
            assertDoesNotThrow(
                    () -> plugin.unrecognized(credentials),
                    () -> "unrecognized threw for " + Hostile.shown(credentials));
            Trial.assertNobody(plugin, "an account that was unrecognized", credentials);
        }
        Trial.authenticated(plugin, Trial.VALID, trial().fixture().validCredentials());
    }

    @TestFactory
    default Stream<DynamicTest> unknownAccount_takesTheTimeOfAWrongPassword() throws Exception {
        return trial().fixture().credentialsOfUnknownAccount().stream()
                .map(unknown -> dynamicTest(
                        "unknown account",
                        () -> new AnswerTimes(
                                        "an unknown account",
                                        unknown,
                                        Trial.WRONG,
                                        trial().fixture().wrongCredentials())
                                .assertAlike(trial())));
    }

    @Test
    default void stamp_isThatOfTheAccount_andWhoHasAccountsGivesStamps() throws Exception {
        AuthPlugin plugin = trial().open();
        Authenticated verdict =
                Trial.authenticated(plugin, Trial.VALID, trial().fixture().validCredentials());
        String id = verdict.subject().id();
        Secret stamp = verdict.stamp();
        Optional<Account> account = plugin.account(id);
        if (stamp == null) {
            assertEquals(Optional.empty(), account, "an account, and no stamp: its logins are never prolonged");
        } else {
            assertTrue(account.isPresent(), "a stamp, and no account of the subject's id");
            assertTrue(account.get().stamp().matches(stamp), "the account has another stamp than its login");
            Authenticated state = assertInstanceOf(
                    Authenticated.class, account.get().state(), "the account that just logged in may not log in");
            assertEquals(id, state.subject().id(), "the account is somebody else's");
        }
        assertEquals(Optional.empty(), plugin.account(Trial.NOBODY), "an account that nobody has");
    }
}
