package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Exact comparison of secrets. */
interface SourceSecretRules extends Rules<LoginSource<?>> {

    private LoginSourceContract fixture() {
        return (LoginSourceContract) trial().fixture();
    }

    /** Case, white space, folded characters, and where a hash or a column cuts. */
    @TestFactory
    default Stream<DynamicTest> secretThatIsNearlyRight_isWrong() throws Exception {
        LoginSourceContract fixture = fixture();
        Map<String, Callable<Optional<Credentials>>> accounts = new LinkedHashMap<>();
        if (fixture.secretsAreExact()) {
            accounts.put("first account", () -> Optional.of(fixture.validCredentials()));
            accounts.put("second account", fixture::secondValidCredentials);
            accounts.put("account with a long secret", fixture::credentialsWithLongSecret);
        }
        List<DynamicTest> tests = new ArrayList<>();
        for (Map.Entry<String, Callable<Optional<Credentials>>> account : accounts.entrySet()) {
            if (account.getValue().call().flatMap(Variants::onlySecretOf).isPresent()) {
                tests.add(dynamicTest(
                        account.getKey(), () -> assertOnlyTheRightOne(account.getKey(), account.getValue())));
            }
        }
        return tests.stream();
    }

    private void assertOnlyTheRightOne(String account, Callable<Optional<Credentials>> valid) throws Exception {
        LoginSource<?> source = trial().open();
        Credentials right = valid.call().orElseThrow();
        String text = Variants.onlySecretOf(right).orElseThrow();
        for (Map.Entry<String, String> nearly : NearlyRight.of(text).entrySet()) {
            Optional<Credentials> credentials =
                    Hostile.unlessRefused(() -> Optional.of(withSecret(right, nearly.getValue())));
            if (credentials.isPresent()) {
                String input = "the secret of the " + account + " " + nearly.getKey();
                Decision decision = Calls.answer(input, () -> LoginSourceContract.decide(source, credentials.get()));
                assertFalse(
                        LoginSourceContract.letsIn(decision),
                        () -> "must authenticate nobody, but answered " + Hostile.shown(decision) + " for " + input);
            }
        }
        // Some wrong guesses may void a one-time secret.
        Credentials fresh = valid.call().orElseThrow();
        Decision decision = Calls.answer("the right secret", () -> LoginSourceContract.decide(source, fresh));
        LoginSourceContract.login(source, "the right secret of the " + account, decision);
    }

    /** Only the fixture can create credentials that are no record. */
    private Credentials withSecret(Credentials right, String text) throws Exception {
        Optional<Credentials> copy = right instanceof Record
                ? Variants.withSecret(right, text)
                : fixture().credentialsWith(text);
        return copy.orElseGet(() -> fail("the credentials are no record: override credentialsWith()"));
    }
}
