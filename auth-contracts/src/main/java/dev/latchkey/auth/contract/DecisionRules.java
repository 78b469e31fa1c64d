package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.PluginNames;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Who is authenticated, who is not, and what is no decision. */
interface DecisionRules extends Rules {

    @Test
    default void name_isProperAndConstant() throws Exception {
        AuthPlugin plugin = trial().open();
        String name = PluginNames.require(plugin.name());
        plugin.authenticate(trial().fixture().validCredentials(), RequestContext.none());
        assertEquals(name, plugin.name(), "the name changed after a login");
        assertEquals(name, trial().open().name(), "another instance has another name");
    }

    @Test
    default void validCredentials_areAuthenticatedAsTheSameSubjectEachTime() throws Exception {
        AuthPlugin plugin = trial().open();
        Credentials valid = trial().fixture().validCredentials();
        Subject first = Trial.authenticated(plugin, Trial.VALID, valid).subject();
        assertEquals(
                first,
                Trial.authenticated(plugin, "valid credentials, the second time", valid)
                        .subject());
        assertEquals(first, trial().subjectOf(trial().open()), "by another instance");
    }

    @Test
    default void validUntil_isInTheFuture() throws Exception {
        Authenticated verdict = Trial.authenticated(
                trial().open(), Trial.VALID, trial().fixture().validCredentials());
        assertTrue(
                verdict.validUntil().isAfter(trial().fixture().clock().instant()),
                () -> "already over: valid until " + verdict.validUntil());
    }

    @Test
    default void wrongCredentials_areNeverAuthenticated() throws Exception {
        AuthPlugin plugin = trial().open();
        Credentials wrong = trial().fixture().wrongCredentials();
        Trial.assertNobody(plugin, Trial.WRONG, wrong);
        trial().subjectOf(plugin);
        Trial.assertNobody(plugin, "wrong credentials after valid ones", wrong);
    }

    @Test
    default void hostileCredentials_areAnsweredWithAValue() throws Exception {
        AuthPlugin plugin = trial().open();
        for (String text : Hostile.TEXTS) {
            String shown = Hostile.shown(text);
            Trial.assertNobody(plugin, "the bearer token " + shown, BearerToken.of(text));
            Trial.assertNobody(
                    plugin, "the name and password " + shown, new PasswordCredentials(text, Secret.of(text)));
            Optional<Credentials> own =
                    Hostile.unlessRefused(() -> trial().fixture().credentialsWith(text));
            if (own.isPresent()) {
                String input = Trial.kindOf(own.get()) + " with the secret " + shown;
                Trial.assertNobody(plugin, input, own.get());
                assertFalse(plugin.revoke(own.get()), () -> "revoked what proves nobody: " + input);
            }
        }
        Trial.assertNobody(
                plugin, "a name with a lone surrogate", new PasswordCredentials(Hostile.LONE_SURROGATE, Secret.of("")));
        trial().subjectOf(plugin);
    }

    @TestFactory
    default Stream<DynamicTest> outage_isAnExceptionAndNeverARejection() throws Exception {
        Optional<AuthPlugin> down = trial().fixture().newPluginInOutage();
        down.ifPresent(trial()::closingLater);
        return down.stream()
                .map(plugin -> dynamicTest("store down", () -> {
                    Map<String, Credentials> inputs = Map.of(
                            Trial.VALID,
                            trial().fixture().validCredentials(),
                            Trial.WRONG,
                            trial().fixture().wrongCredentials());
                    inputs.forEach((input, credentials) -> assertThrows(
                            AuthUnavailableException.class,
                            () -> TimeLimit.call(
                                    TimeLimit.USUAL,
                                    "authenticate for " + input + ", store down",
                                    () -> plugin.authenticate(credentials, RequestContext.none())),
                            () -> input + ", store down"));
                }));
    }

    @Test
    default void closedPlugin_authenticatesNobody() throws Exception {
        AuthPlugin plugin = trial().open();
        Credentials valid = trial().fixture().validCredentials();
        Trial.authenticated(plugin, Trial.VALID, valid);
        Trial.close(plugin);
        assertDoesNotThrow(plugin::close, "closing twice must be the same as once");
        try {
            Trial.assertNobody(plugin.authenticate(valid, RequestContext.none()), "valid credentials after close");
        } catch (AuthUnavailableException e) {
            // The other right answer: there is no store any more.
            assertNotNull(e.getMessage());
        }
    }
}
