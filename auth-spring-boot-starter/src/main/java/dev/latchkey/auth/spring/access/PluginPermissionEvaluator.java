package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.spring.plugin.Subjects;
import java.io.Serializable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.access.PermissionEvaluator;
import org.springframework.security.core.Authentication;

/**
 * Answers {@code hasPermission} by the plugins.
 *
 * <p>{@code hasPermission('ns:public:config', 'r')} names a resource and an action. {@code hasPermission(#id, 'order', 'read')}
 * names the resource {@code order:<id>}. An id with a colon or a slash is denied, because the id could name a resource below
 * another resource.
 *
 * <p>Resources, ids and actions are texts, numbers, UUIDs or enum constants; null is denied. Any other object throws an
 * {@link IllegalArgumentException}: a name guessed from {@code toString} could protect another resource.
 */
final class PluginPermissionEvaluator implements PermissionEvaluator {

    private static final String SEPARATOR = ":";

    /** Resolved late: method security is created before the plugins. */
    private final ObjectProvider<AuthChain> plugins;

    PluginPermissionEvaluator(ObjectProvider<AuthChain> plugins) {
        this.plugins = plugins;
    }

    @Override
    public boolean hasPermission(@Nullable Authentication login, @Nullable Object target, @Nullable Object permission) {
        return isGranted(login, textOf(target), textOf(permission));
    }

    @Override
    public boolean hasPermission(
            @Nullable Authentication login, @Nullable Serializable id, String type, @Nullable Object permission) {
        String text = textOf(id);
        return !text.isBlank()
                && !text.contains(SEPARATOR)
                && !text.contains("/")
                && isGranted(login, type + SEPARATOR + text, textOf(permission));
    }

    private boolean isGranted(@Nullable Authentication login, String resource, String action) {
        if (resource.isBlank() || action.isBlank()) {
            return false;
        }
        AuthChain chain = plugins.getObject();
        return new Subjects(chain)
                .of(login)
                .filter(subject -> chain.authorize(subject, new Permission(resource, action)))
                .isPresent();
    }

    private static String textOf(@Nullable Object name) {
        if (name == null) {
            return "";
        }
        if (name instanceof Enum<?> constant) {
            return constant.name();
        }
        if (name instanceof CharSequence || name instanceof Number || name instanceof UUID) {
            return name.toString();
        }
        throw new IllegalArgumentException("hasPermission takes names as text, and got a "
                + name.getClass().getName() + ": write hasPermission(#it.id, 'type', 'action')");
    }
}
