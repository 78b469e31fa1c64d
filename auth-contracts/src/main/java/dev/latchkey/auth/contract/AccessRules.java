package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.latchkey.auth.Access;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a plugin says of permissions; one that knows none abstains. */
interface AccessRules extends Rules {

    /** Of resources that there are not. */
    List<String> ODD = List.of("no-resource-of-this-name", "orders", "../..", "*", "%", "\0", "r".repeat(100_000));

    @Test
    default void authorize_alwaysAnswers() throws Exception {
        AuthPlugin plugin = trial().open();
        for (Subject subject : List.of(trial().subjectOf(plugin), Subject.of(Trial.NOBODY))) {
            for (String text : ODD) {
                String input = inputOf(subject, text);
                Permission permission = new Permission(text, text);
                Access access = assertDoesNotThrow(
                        () -> plugin.authorize(subject, permission), () -> "authorize threw for " + input);
                assertNotNull(
                        access, () -> "authorize answered null; what it does not know, it abstains from: " + input);
                assertSame(access, plugin.authorize(subject, permission), () -> "the second time, for " + input);
            }
        }
    }

    @Test
    default void authorize_grantsNothingToWhoIsUnknown() throws Exception {
        AuthPlugin plugin = trial().open();
        Subject unknown = Subject.of(Trial.NOBODY);
        for (String text : ODD) {
            assertNotEquals(
                    Access.GRANTED,
                    plugin.authorize(unknown, new Permission(text, text)),
                    () -> "granted to a subject without authorities that nobody knows: " + inputOf(unknown, text));
        }
    }

    private static String inputOf(Subject subject, String text) {
        return "the subject '" + subject.id() + "', resource and action " + Hostile.shown(text);
    }
}
