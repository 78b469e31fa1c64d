package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.fail;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * One test: the plugins that it opens, which are closed at its end, and what it asks them. Every failure names what the plugin was
 * shown, never what is secret in it.
 */
final class Trial {

    static final String VALID = "valid credentials";
    static final String WRONG = "wrong credentials";
    static final String NOBODY = "nobody-of-this-name";

    private final AuthPluginContract fixture;
    private final List<AuthPlugin> opened = new ArrayList<>();

    Trial(AuthPluginContract fixture) {
        this.fixture = fixture;
    }

    AuthPluginContract fixture() {
        return fixture;
    }

    /** Another plugin of the fixture's. */
    AuthPlugin open() throws Exception {
        return closingLater(fixture.newPlugin());
    }

    AuthPlugin closingLater(AuthPlugin plugin) {
        synchronized (opened) {
            opened.add(plugin);
        }
        return plugin;
    }

    void close() throws Exception {
        for (AuthPlugin plugin : opened) {
            close(plugin);
        }
    }

    static void close(AuthPlugin plugin) throws Exception {
        TimeLimit.call(TimeLimit.USUAL, "close", () -> {
            plugin.close();
            return true;
        });
    }

    /** What the plugin says of these credentials, which are described by {@code input}. */
    static Decision answer(AuthPlugin plugin, String input, Credentials credentials) throws Exception {
        return TimeLimit.call(
                TimeLimit.USUAL, "authenticate for " + input, () -> answerHere(plugin, input, credentials));
    }

    /** The same on this very thread, whose kind matters or whose time is measured. */
    static Decision answerHere(AuthPlugin plugin, String input, Credentials credentials) {
        try {
            return assertInstanceOf(
                    Decision.class,
                    plugin.authenticate(credentials, RequestContext.none()),
                    () -> "answered null where the contract asks for a value, for " + input);
        } catch (Exception e) {
            return fail("threw " + e.getClass().getName() + " where the contract asks for a value, for " + input, e);
        }
    }

    static Authenticated authenticated(AuthPlugin plugin, String input, Credentials credentials) throws Exception {
        return assertInstanceOf(Authenticated.class, answer(plugin, input, credentials), input);
    }

    /** The subject of the fixture's valid credentials. */
    Subject subjectOf(AuthPlugin plugin) throws Exception {
        return authenticated(plugin, VALID, fixture.validCredentials()).subject();
    }

    static void assertNobody(AuthPlugin plugin, String input, Credentials credentials) throws Exception {
        assertNobody(answer(plugin, input, credentials), input);
    }

    static void assertNobody(Decision decision, String input) {
        assertNotNull(decision, () -> "answered null where the contract asks for a value, for " + input);
        assertFalse(
                decision instanceof Authenticated,
                () -> "must authenticate nobody, but answered " + decision + " for " + input);
    }

    static String kindOf(Credentials credentials) {
        return credentials.getClass().getName();
    }
}
