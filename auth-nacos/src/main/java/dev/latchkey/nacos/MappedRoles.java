package dev.latchkey.nacos;

import com.alibaba.nacos.api.common.Constants;
import com.alibaba.nacos.plugin.auth.api.Permission;
import com.alibaba.nacos.plugin.auth.api.Resource;
import com.alibaba.nacos.plugin.auth.constant.SignType;
import com.alibaba.nacos.plugin.auth.impl.constant.AuthConstants;
import com.alibaba.nacos.plugin.auth.impl.persistence.PermissionInfo;
import com.alibaba.nacos.plugin.auth.impl.roles.NacosRoleService;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether mapped roles allow a permission, by the server's own permissions of these roles. The server itself
 * can check permissions only for users in its own table.
 *
 * <p>A permission has the server's form: a resource {@code namespace:group:type/name}, where {@code *} is any text, and
 * an action. The action must contain the requested action. Safe for use by any number of threads.
 */
final class MappedRoles {

    /** The role of the server that may do everything. */
    static final String ADMINISTRATOR = AuthConstants.GLOBAL_ADMIN_ROLE;

    private final NacosRoleService roles;

    MappedRoles(NacosRoleService roles) {
        this.roles = roles;
    }

    /** Whether one of the roles allows the permission. */
    boolean allow(Set<String> mapped, Permission permission) {
        if (mapped.isEmpty()) {
            return false;
        }
        if (mapped.contains(ADMINISTRATOR)) {
            return true;
        }
        String resource = Objects.toString(permission.getResource().getName(), "");
        // As in the server: only administrators may use the console's own resources.
        return !resource.startsWith(AuthConstants.CONSOLE_RESOURCE_NAME_PREFIX)
                && mapped.stream().anyMatch(role -> allows(role, permission));
    }

    private boolean allows(String role, Permission permission) {
        @Nullable List<PermissionInfo> granted = roles.getPermissions(role);
        String wanted = nameOf(permission.getResource());
        return granted != null
                && granted.stream()
                        .anyMatch(each -> each.getAction().contains(permission.getAction())
                                && patternOf(each.getResource()).matcher(wanted).matches());
    }

    /** A permission without a namespace is for the default namespace. */
    private static Pattern patternOf(String granted) {
        String whole = granted.startsWith(":") ? Constants.DEFAULT_NAMESPACE_ID + granted : granted;
        return Pattern.compile(
                Arrays.stream(whole.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }

    private static String nameOf(Resource resource) {
        if (SignType.SPECIFIED.equals(resource.getType())) {
            return resource.getName();
        }
        return otherwise(resource.getNamespaceId(), Constants.DEFAULT_NAMESPACE_ID) + ":"
                + otherwise(resource.getGroup(), "*") + ":" + resource.getType().toLowerCase(Locale.ROOT) + "/"
                + otherwise(resource.getName(), "*");
    }

    private static String otherwise(@Nullable String text, String other) {
        return text == null || text.isBlank() ? other : text;
    }
}
