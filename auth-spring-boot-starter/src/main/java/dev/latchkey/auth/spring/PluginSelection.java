package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.PluginDirectory;
import dev.latchkey.auth.PluginNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/** Makes the chain that configuration asks for, and says in the log which one it is. */
final class PluginSelection {

    private static final Logger LOG = LoggerFactory.getLogger(PluginSelection.class);

    private PluginSelection() {}

    /**
     * The plugins that {@code latchkey.plugins} names; without it, the beans in their order. A jar on the class path alone
     * never decides who may log in: it is found, but takes part only where its name is written down.
     */
    static AuthChain from(LatchkeyProperties properties, List<AuthPlugin> beans) {
        PluginDirectory directory = PluginDirectory.discover(classLoader());
        directory.broken().forEach(line -> LOG.warn("An auth plugin cannot be loaded and is left out: {}", line));
        requireDistinctNames(beans);
        beans.forEach(directory::add);
        List<String> names = properties.plugins() != null
                ? properties.plugins()
                : beans.stream().map(AuthPlugin::name).toList();
        AuthChain chain = directory.select(names, name -> configOf(properties, name));
        if (!names.isEmpty()) {
            LOG.info("Auth plugins, in order: {}", chain.pluginNames());
        } else if (properties.login().enabled() || !directory.names().isEmpty()) {
            LOG.info(
                    "No auth plugin is asked, so the login endpoint refuses everybody; latchkey.plugins may name those of {}",
                    directory.names());
        }
        return chain;
    }

    private static void requireDistinctNames(List<AuthPlugin> beans) {
        Map<String, AuthPlugin> named = new HashMap<>();
        for (AuthPlugin plugin : beans) {
            AuthPlugin other = named.putIfAbsent(nameOf(plugin), plugin);
            if (other != null) {
                throw new LatchkeyConfigurationException(
                        "Two AuthPlugin beans are named '" + plugin.name() + "': "
                                + other.getClass().getName() + " and "
                                + plugin.getClass().getName(),
                        "Let name() of one of them answer something else; Latchkey's own plugins are named users and jwt.");
            }
        }
    }

    private static String nameOf(AuthPlugin plugin) {
        try {
            return PluginNames.require(plugin.name());
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "The AuthPlugin bean " + plugin.getClass().getName() + " has no proper name: " + e.getMessage(),
                    "Let its name() answer one of lower-case letters, digits and hyphens.");
        }
    }

    /** The thread's, where there is one: under devtools it is the one that sees the service's classes. */
    private static ClassLoader classLoader() {
        return Objects.requireNonNullElseGet(ClassUtils.getDefaultClassLoader(), PluginSelection.class::getClassLoader);
    }

    private static PluginConfig configOf(LatchkeyProperties properties, String name) {
        return PluginConfig.of(
                "latchkey.plugin." + name + ".", properties.plugin().getOrDefault(name, Map.of()));
    }
}
