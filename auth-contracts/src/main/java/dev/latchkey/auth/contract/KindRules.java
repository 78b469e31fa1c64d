package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.latchkey.auth.Abstained;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.DelegatingAuthPlugin;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which credentials are the plugin's to decide about, and which it leaves to the next one. */
interface KindRules extends Rules {

    @Test
    default void credentialsOfAForeignKind_areLeftToTheNextPlugin() throws Exception {
        Decision decision = Trial.answer(trial().open(), "credentials of a foreign kind", new ForeignCredentials());
        assertInstanceOf(Abstained.class, decision, "nobody can know this kind, so no plugin may judge it");
    }

    @Test
    default void kindThatThePluginDoesNotDecide_isLeftToTheNextPlugin() throws Exception {
        AuthPlugin plugin = trial().open();
        Set<Class<? extends Credentials>> decided = trial().fixture().kinds();
        for (Map.Entry<String, Credentials> input : ofOtherPlugins().entrySet()) {
            if (!decided.contains(input.getValue().getClass())) {
                assertInstanceOf(
                        Abstained.class,
                        Trial.answer(plugin, input.getKey(), input.getValue()),
                        () -> "another plugin's to decide, as kinds() does not have it: " + input.getKey());
            }
        }
    }

    /** What a plugin for passwords or tokens beside this one is there for. */
    private Map<String, Credentials> ofOtherPlugins() throws Exception {
        Map<String, Credentials> inputs = new LinkedHashMap<>();
        Credentials valid = trial().fixture().validCredentials();
        List<String> names = List.of(valid.account().orElse("ada"), Trial.NOBODY, "");
        for (String text : List.of("any password", "", "a.b.c", "x".repeat(100))) {
            inputs.put("the bearer token " + Hostile.shown(text), BearerToken.of(text));
            for (String name : names) {
                inputs.put(
                        "the name '" + name + "' with the password " + Hostile.shown(text),
                        new PasswordCredentials(name, Secret.of(text)));
            }
        }
        return inputs;
    }

    @Test
    default void supports_isTrueOfWhatThePluginDecides() throws Exception {
        AuthPlugin plugin = trial().open();
        AuthPluginContract fixture = trial().fixture();
        List<Credentials> decided = new ArrayList<>(List.of(fixture.validCredentials(), fixture.wrongCredentials()));
        fixture.credentialsOfUnknownAccount().ifPresent(decided::add);
        fixture.requestWithValidCredentials().flatMap(plugin::read).ifPresent(decided::add);
        for (Credentials credentials : decided) {
            assertTrue(
                    supports(plugin, credentials), () -> "says that it does not support " + Trial.kindOf(credentials));
        }
    }

    @Test
    default void kindThatIsNotSupported_isLeftToTheNextPlugin() throws Exception {
        AuthPlugin plugin = trial().open();
        PasswordCredentials password = new PasswordCredentials(Trial.NOBODY, Secret.of("any password"));
        for (Credentials credentials : List.of(password, BearerToken.of("a.b.c"), new ForeignCredentials())) {
            String kind = Trial.kindOf(credentials);
            boolean supported = supports(plugin, credentials);
            Decision decision = Trial.answer(plugin, kind, credentials);
            assertTrue(
                    supported || decision instanceof Abstained,
                    () -> "does not support " + kind + ", and answers " + decision);
            assertFalse(
                    plugin.revoke(credentials) && !supported, () -> "does not support " + kind + ", and revokes it");
            assertEquals(supported, supports(plugin, credentials), () -> "the second time, for " + kind);
        }
    }

    /** The chain asks nobody for a step who does not take the response, and says nothing of it: logins would have one step. */
    @Test
    default void pluginThatWantsASecondStep_supportsTheResponse() throws Exception {
        AuthPlugin plugin = trial().open();
        Class<?> asking = plugin.getClass()
                .getMethod("secondStep", Authenticated.class, RequestContext.class)
                .getDeclaringClass();
        if (asking != AuthPlugin.class && asking != DelegatingAuthPlugin.class) {
            assertTrue(
                    plugin.supports(ChallengeResponse.class),
                    "has a secondStep that is never asked, since it does not support ChallengeResponse");
        }
    }

    private static boolean supports(AuthPlugin plugin, Credentials credentials) {
        return assertDoesNotThrow(
                () -> plugin.supports(credentials.getClass()), () -> "supports threw for " + Trial.kindOf(credentials));
    }

    /** Of a kind that only these rules know. */
    record ForeignCredentials() implements Credentials {}
}
