package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.PluginDirectory;
import dev.latchkey.auth.PluginNames;
import dev.latchkey.auth.guard.BulkheadAuthPlugin;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.RequestThreads;
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

    /** Read here and by no plugin. */
    private static final String MAX_CONCURRENT = "max-concurrent";

    private static final int DEFAULT_MAX_CONCURRENT = 64;

    private PluginSelection() {}

    /**
     * The plugins that {@code latchkey.plugins} names; without it, the beans in their order. A jar on the class path alone
     * never decides who may log in: it is found, but takes part only where its name is written down.
     */
    static AuthChain from(LatchkeyProperties properties, List<AuthPlugin> beans, RequestThreads threads) {
        PluginDirectory directory = PluginDirectory.discover(classLoader());
        directory.broken().forEach(line -> LOG.warn("An auth plugin cannot be loaded and is left out: {}", line));
        requireDistinctNames(beans);
        beans.forEach(directory::add);
        List<String> names = properties.plugins() != null
                ? properties.plugins()
                : beans.stream().map(AuthPlugin::name).toList();
        AuthChain chain = directory
                .select(names, name -> configOf(properties, name))
                .withEach(plugin -> bounded(plugin, properties, threads));
        if (!names.isEmpty()) {
            LOG.info("Auth plugins, in order: {}", chain.pluginNames());
        } else if (properties.login().enabled() || !directory.names().isEmpty()) {
            LOG.info(
                    "No auth plugin is asked, so the login endpoint refuses everybody; latchkey.plugins may name those of {}",
                    directory.names());
        }
        return chain;
    }

    /** What this library brings waits for nobody, or hashes by permit. What another plugin waits for must not hold every thread. */
    private static AuthPlugin bounded(AuthPlugin plugin, LatchkeyProperties properties, RequestThreads threads) {
        if (plugin instanceof JwtAuthPlugin || plugin instanceof UserDetailsPlugin) {
            return plugin;
        }
        String given = settingsOf(properties, plugin.name()).get(MAX_CONCURRENT);
        try {
            return BulkheadAuthPlugin.around(
                    plugin, given == null ? Math.min(DEFAULT_MAX_CONCURRENT, threads.half()) : Integer.parseInt(given));
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.plugin." + plugin.name() + "." + MAX_CONCURRENT + " is no positive number: " + given,
                    "Set it to how many calls of this plugin may run at the same time, or leave it out.");
        }
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
        Map<String, String> settings = new HashMap<>(settingsOf(properties, name));
        settings.remove(MAX_CONCURRENT);
        return PluginConfig.of("latchkey.plugin." + name + ".", settings);
    }

    private static Map<String, String> settingsOf(LatchkeyProperties properties, String name) {
        return properties.plugin().getOrDefault(name, Map.of());
    }
}
