package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Secrets: what is compared, and that none is printed. */
interface SecretRules extends Rules {

    @Test
    default void secrets_areNeverPrinted() throws Exception {
        Printed printed = new Printed();
        AuthPluginContract fixture = trial().fixture();
        List<Credentials> inputs = List.of(fixture.validCredentials(), fixture.wrongCredentials());
        Optional<AuthPlugin> broken = fixture.newPluginInOutage();
        broken.ifPresent(trial()::closingLater);
        printed.listenWhile(() -> {
            AuthPlugin plugin = trial().open();
            for (Credentials credentials : inputs) {
                printed.add(plugin, credentials, plugin.authenticate(credentials, RequestContext.none()));
                if (broken.isPresent()) {
                    printed.add(
                            broken.get(),
                            Printed.thrownBy(() -> broken.get().authenticate(credentials, RequestContext.none())));
                }
                plugin.revoke(credentials);
            }
            plugin.close();
            printed.add(plugin);
        });
        printed.assertWithout(fixture.secretTexts(), "for valid and for wrong credentials");
    }

    /** Case, white space, and where a hash or a column cuts. */
    @TestFactory
    default Stream<DynamicTest> secretThatIsNearlyRight_isWrong() throws Exception {
        AuthPluginContract fixture = trial().fixture();
        if (!fixture.secretsAreExact()) {
            return Stream.empty();
        }
        Map<String, Optional<Credentials>> accounts = new LinkedHashMap<>();
        accounts.put("first account", Optional.of(fixture.validCredentials()));
        accounts.put("second account", fixture.secondValidCredentials());
        accounts.put("account with a long secret", fixture.credentialsWithLongSecret());
        return accounts.entrySet().stream()
                .filter(account -> account.getValue().isPresent())
                .map(account -> Map.entry(account.getKey(), account.getValue().get()))
                .filter(account -> rightTextOf(account.getValue()).isPresent())
                .map(account -> dynamicTest(
                        account.getKey(), () -> assertOnlyTheRightOne(account.getKey(), account.getValue())));
    }

    private void assertOnlyTheRightOne(String account, Credentials right) throws Exception {
        AuthPlugin plugin = trial().open();
        Trial.authenticated(plugin, "the right secret of the " + account, right);
        String text = rightTextOf(right).orElseThrow();
        for (Map.Entry<String, String> nearly : NearlyRight.of(text).entrySet()) {
            Optional<Credentials> credentials = Hostile.unlessRefused(() -> with(right, nearly.getValue()));
            if (credentials.isPresent()) {
                Trial.assertNobody(plugin, "the secret of the " + account + " " + nearly.getKey(), credentials.get());
            }
        }
    }

    /** These credentials with another secret. */
    private Optional<Credentials> with(Credentials right, String text) throws Exception {
        return right instanceof PasswordCredentials password
                ? Optional.of(new PasswordCredentials(password.username(), Secret.of(text)))
                : trial().fixture().credentialsWith(text);
    }

    /** For a kind of the plugin's own, that of its secret texts which is accepted. */
    private Optional<String> rightTextOf(Credentials right) {
        if (right instanceof PasswordCredentials password) {
            return Optional.of(password.password().withText(CharSequence::toString));
        }
        if (right instanceof BearerToken token) {
            return Optional.of(token.token().withText(CharSequence::toString));
        }
        return trial().fixture().secretTexts().stream().filter(this::isRight).findFirst();
    }

    private boolean isRight(String text) {
        try {
            Optional<Credentials> credentials =
                    Hostile.unlessRefused(() -> trial().fixture().credentialsWith(text));
            return credentials.isPresent()
                    && Trial.answer(trial().open(), "one of secretTexts()", credentials.get()) instanceof Authenticated;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
