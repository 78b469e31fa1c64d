package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Exact comparison of secrets. */
interface SourceSecretRules extends Rules<LoginSource<?>> {

    /** Case, white space, folded characters, and where a hash or a column cuts. */
    @TestFactory
    default Stream<DynamicTest> secretThatIsNearlyRight_isWrong() throws Exception {
        LoginSourceContract fixture = (LoginSourceContract) trial().fixture();
        Map<String, Optional<Credentials>> accounts = new LinkedHashMap<>();
        if (fixture.secretsAreExact()) {
            accounts.put("first account", Optional.of(fixture.validCredentials()));
            accounts.put("second account", fixture.secondValidCredentials());
            accounts.put("account with a long secret", fixture.credentialsWithLongSecret());
        }
        return accounts.entrySet().stream()
                .filter(account ->
                        account.getValue().flatMap(Variants::onlySecretOf).isPresent())
                .map(account -> dynamicTest(
                        account.getKey(),
                        () -> assertOnlyTheRightOne(
                                account.getKey(), account.getValue().orElseThrow())));
    }

    private void assertOnlyTheRightOne(String account, Credentials right) throws Exception {
        LoginSource<?> source = trial().open();
        String text = Variants.onlySecretOf(right).orElseThrow();
        for (Map.Entry<String, String> nearly : NearlyRight.of(text).entrySet()) {
            Optional<Credentials> credentials =
                    Hostile.unlessRefused(() -> Variants.withSecret(right, nearly.getValue()));
            if (credentials.isPresent()) {
                String input = "the secret of the " + account + " " + nearly.getKey();
                Decision decision = Calls.answer(input, () -> LoginSourceContract.decide(source, credentials.get()));
                assertFalse(
                        LoginSourceContract.letsIn(decision),
                        () -> "must authenticate nobody, but answered " + Hostile.shown(decision) + " for " + input);
            }
        }
        Decision decision = Calls.answer("the right secret", () -> LoginSourceContract.decide(source, right));
        LoginSourceContract.login(source, "the right secret of the " + account, decision);
    }
}
