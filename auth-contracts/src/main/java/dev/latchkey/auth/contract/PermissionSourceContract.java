package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract of {@link PermissionSource}, as tests: extend this class and supply a plugin, and a subject with a permission. */
public abstract class PermissionSourceContract extends PluginContract<PermissionSource> {

    /** Of resources outside every service. */
    private static final List<String> ODD =
            List.of("no-resource-of-this-name", "../..", "*", "**", "%", ".*", "(", "\0", "r".repeat(100_000));

    private static final String NAMES =
            "; if the plugin ignores case, or a resource contains others, override namesAreExact";

    /** For fixtures. */
    protected PermissionSourceContract() {}

    /**
     * A subject with {@link #granted()}. An unknown subject without authorities must not have this permission.
     *
     * @return the same at each call
     */
    protected abstract Subject subject();

    /**
     * A permission of {@link #subject()}.
     *
     * @return the same at each call
     */
    protected abstract Permission granted();

    /**
     * Whether resources and actions are compared exactly. Override this method if the plugin ignores case, or a resource contains
     * other resources.
     *
     * @return {@code true} unless overridden
     */
    protected boolean namesAreExact() {
        return true;
    }

    @Override
    final List<Probe<PermissionSource>> probes() {
        Subject nobody = Subject.of(Trial.NOBODY);
        return List.of(
                new Probe<>(
                        "a permission that is granted",
                        plugin -> () -> plugin.authorize(subject(), granted()),
                        Access.GRANTED::equals,
                        answer -> false,
                        Probe.Use.OFTEN,
                        Probe.Store.NEEDED),
                new Probe<>(
                        "the same permission, for a subject that nobody knows",
                        plugin -> () -> plugin.authorize(nobody, granted()),
                        answer -> answer instanceof Access access && access != Access.GRANTED,
                        answer -> false,
                        Probe.Use.OFTEN,
                        Probe.Store.MAYBE));
    }

    private static Access access(PermissionSource plugin, Subject subject, Permission permission, String input)
            throws Exception {
        return Calls.answer(input, () -> plugin.authorize(subject, permission));
    }

    /** Any resource and action gets an answer, the same each time. */
    @Test
    final void authorize_alwaysAnswers() throws Exception {
        PermissionSource plugin = trial().open();
        for (Subject subject : List.of(subject(), Subject.of(Trial.NOBODY), Subject.of("' OR '1'='1"))) {
            for (String text : ODD) {
                String input = "the subject '" + subject.id() + "', resource and action " + Hostile.shown(text);
                Access access = access(plugin, subject, new Permission(text, text), input);
                assertEquals(
                        access,
                        access(plugin, subject, new Permission(text, text), input),
                        "the second time, for " + input);
                // A subject of the fixture may have a permission for everything, where names are not exact.
                if (namesAreExact() || !subject.equals(subject())) {
                    assertNotEquals(
                            Access.GRANTED,
                            access,
                            () -> "granted what nobody granted, for " + input
                                    + (subject.equals(subject()) ? NAMES : ""));
                }
            }
        }
    }

    /** Nearly the same resource or action is different, also after the granted permission: a cache compares the whole question. */
    @Test
    final void permissionThatIsNearlyGranted_isNotGranted() throws Exception {
        if (!namesAreExact()) {
            return;
        }
        PermissionSource plugin = trial().open();
        Access unused = access(plugin, subject(), granted(), "the permission that is granted");
        for (Map.Entry<String, Permission> nearly : nearly(granted()).entrySet()) {
            Access access = access(plugin, subject(), nearly.getValue(), nearly.getKey());
            assertNotEquals(Access.GRANTED, access, () -> "granted, for " + nearly.getKey() + NAMES);
        }
    }

    private static Map<String, Permission> nearly(Permission granted) {
        String resource = granted.resource();
        String action = granted.action();
        Map<String, Permission> all = new LinkedHashMap<>();
        NearlyRight.of(resource).forEach((name, text) -> put(all, "the resource " + name, text, action));
        NearlyRight.of(action).forEach((name, text) -> put(all, "the action " + name, resource, text));
        int last = resource.length() - 1;
        put(all, "the same text, divided earlier", resource.substring(0, last), resource.substring(last) + action);
        put(all, "the same text, divided later", resource + action.charAt(0), action.substring(1));
        return all;
    }

    private static void put(Map<String, Permission> all, String name, String resource, String action) {
        if (!resource.isBlank() && !action.isBlank()) {
            all.put(name, new Permission(resource, action));
        }
    }

    /** Nearly the same subject is different. */
    @Test
    final void subjectOfNearlyTheSameId_hasNothing() throws Exception {
        PermissionSource plugin = trial().open();
        Access unused = access(plugin, subject(), granted(), "the subject that has the permission");
        Map<String, String> ids = new LinkedHashMap<>(NearlyRight.of(subject().id()));
        ids.put("of another source", "another-source:" + subject().id());
        for (Map.Entry<String, String> id : ids.entrySet()) {
            if (Subject.isId(id.getValue())) {
                String input = "a subject without authorities, with the id " + id.getKey();
                Access access = access(plugin, Subject.of(id.getValue()), granted(), input);
                assertNotEquals(Access.GRANTED, access, () -> "granted, for " + input);
            }
        }
    }
}
