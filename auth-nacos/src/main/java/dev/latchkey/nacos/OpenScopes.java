package dev.latchkey.nacos;

import com.alibaba.nacos.auth.config.NacosAuthConfig;
import com.alibaba.nacos.plugin.auth.constant.ApiType;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns at the start about the server's interfaces without logins. The switches belong to the server, and one of them
 * is off in the default configuration. After the installation of a plugin, an operator expects protection.
 */
final class OpenScopes {

    private static final Logger LOG = LoggerFactory.getLogger(OpenScopes.class);

    private static final Map<String, String> WARNINGS = Map.of(
            ApiType.OPEN_API.name(),
            warning(
                    "nacos.core.auth.enabled",
                    "what clients can, change users and roles, and read the hashes of passwords"),
            ApiType.ADMIN_API.name(),
            warning("nacos.core.auth.admin.enabled", "what administrators can"),
            ApiType.CONSOLE_API.name(),
            warning("nacos.core.auth.console.enabled", "what the console can"));

    private OpenScopes() {}

    /** Logs a warning for each open interface. */
    static void warnOf(Collection<NacosAuthConfig> scopes) {
        warnings(scopes).forEach(LOG::warn);
    }

    /** One sentence for each open interface. */
    static List<String> warnings(Collection<NacosAuthConfig> scopes) {
        return scopes.stream()
                .filter(scope -> !scope.isAuthEnabled() && WARNINGS.containsKey(scope.getAuthScope()))
                .map(scope -> WARNINGS.get(scope.getAuthScope()))
                .toList();
    }

    private static String warning(String property, String allowed) {
        return property + " is false, so this plugin is not asked: whoever reaches the server may do " + allowed;
    }
}
