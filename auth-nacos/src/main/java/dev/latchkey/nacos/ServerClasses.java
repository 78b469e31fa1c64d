package dev.latchkey.nacos;

import dev.latchkey.nacos.settings.IncompatibleServerException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's classes that this plugin needs. The server's interface for plugins is stable, and the classes for users
 * and roles are not: a release may move them. Without a check at the start, a missing class would end requests instead.
 */
final class ServerClasses {

    static final List<String> NEEDED = List.of(
            "com.alibaba.nacos.api.common.Constants",
            "com.alibaba.nacos.api.exception.NacosException",
            "com.alibaba.nacos.api.exception.runtime.NacosRuntimeException",
            "com.alibaba.nacos.auth.config.NacosAuthConfig",
            "com.alibaba.nacos.auth.config.NacosAuthConfigHolder",
            "com.alibaba.nacos.common.event.ServerConfigChangeEvent",
            "com.alibaba.nacos.common.notify.Event",
            "com.alibaba.nacos.common.notify.NotifyCenter",
            "com.alibaba.nacos.common.notify.listener.Subscriber",
            "com.alibaba.nacos.plugin.auth.api.AuthResult",
            "com.alibaba.nacos.plugin.auth.api.IdentityContext",
            "com.alibaba.nacos.plugin.auth.api.Permission",
            "com.alibaba.nacos.plugin.auth.api.Resource",
            "com.alibaba.nacos.plugin.auth.constant.ActionTypes",
            "com.alibaba.nacos.plugin.auth.constant.ApiType",
            "com.alibaba.nacos.plugin.auth.constant.Constants",
            "com.alibaba.nacos.plugin.auth.constant.Constants$Identity",
            "com.alibaba.nacos.plugin.auth.constant.SignType",
            "com.alibaba.nacos.plugin.auth.exception.AccessException",
            "com.alibaba.nacos.plugin.auth.impl.authenticate.IAuthenticationManager",
            "com.alibaba.nacos.plugin.auth.impl.constant.AuthConstants",
            "com.alibaba.nacos.plugin.auth.impl.persistence.PermissionInfo",
            "com.alibaba.nacos.plugin.auth.impl.persistence.User",
            "com.alibaba.nacos.plugin.auth.impl.roles.NacosRoleService",
            "com.alibaba.nacos.plugin.auth.impl.users.NacosUser",
            "com.alibaba.nacos.plugin.auth.impl.users.NacosUserService",
            "com.alibaba.nacos.plugin.auth.impl.utils.PasswordGeneratorUtil",
            "com.alibaba.nacos.plugin.auth.spi.server.AuthPluginService",
            "com.alibaba.nacos.sys.env.EnvUtil",
            "com.alibaba.nacos.sys.utils.ApplicationUtils",
            "com.alibaba.nacos.sys.utils.PropertiesUtil");

    private ServerClasses() {}

    /** @throws IncompatibleServerException if this class loader lacks one of the classes */
    static void require(@Nullable ClassLoader loader) {
        List<String> missing =
                NEEDED.stream().filter(name -> !isThere(name, loader)).toList();
        if (!missing.isEmpty()) {
            throw new IncompatibleServerException(missing);
        }
    }

    private static boolean isThere(String name, @Nullable ClassLoader loader) {
        try {
            return Class.forName(name, false, loader) != null;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
