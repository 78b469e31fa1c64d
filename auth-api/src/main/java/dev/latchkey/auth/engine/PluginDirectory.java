package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthPluginFactory;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.PluginConfigException;
import dev.latchkey.auth.PluginNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The selectable plugins: added plugins, and plugins found by {@link ServiceLoader}.
 *
 * <p>A broken provider does not affect other providers; {@link #broken} names the provider. An unknown name, or a name claimed by
 * two providers, is an error with a list of the known names. Not for concurrent use.
 */
public final class PluginDirectory {

    /** More broken entries than on any class path, against a loader that fails forever. */
    private static final int MAX_FAILURES = 1_000;

    /** The setting with the name of a plugin's factory. */
    private static final String TYPE = "type";

    private final Map<String, List<AuthPluginFactory>> factories = new LinkedHashMap<>();
    private final Set<String> broken = new LinkedHashSet<>();

    private PluginDirectory() {}

    /**
     * An empty directory.
     *
     * @return a directory without plugins and factories
     */
    public static PluginDirectory empty() {
        return new PluginDirectory();
    }

    /**
     * The plugins of all factories from this class loader; see {@link AuthPluginFactory}.
     *
     * @param loader for the lookup of services
     * @return a directory of the loaded factories; {@link #broken} names the rest
     */
    public static PluginDirectory discover(ClassLoader loader) {
        PluginDirectory directory = new PluginDirectory();
        Iterator<AuthPluginFactory> found =
                ServiceLoader.load(AuthPluginFactory.class, loader).iterator();
        int failures = 0;
        while (failures < MAX_FAILURES) {
            try {
                if (!found.hasNext()) {
                    break;
                }
                directory.addFound(found.next());
            } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
                failures++;
                directory.broken.add(Causes.of(e, message -> false));
            }
        }
        return directory;
    }

    private void addFound(AuthPluginFactory factory) {
        try {
            add(factory);
        } catch (LinkageError | RuntimeException e) {
            broken.add(factory.getClass().getName() + ": " + Causes.of(e, message -> false));
        }
    }

    /**
     * Adds an existing plugin; selecting its name gives this instance.
     *
     * @param plugin the caller keeps and closes the plugin
     * @return this directory
     * @throws IllegalArgumentException if the name is invalid
     */
    public PluginDirectory add(AuthPlugin plugin) {
        return add(new ReadyMade(plugin));
    }

    /**
     * Adds a factory, like a discovered factory.
     *
     * @param factory makes a plugin for each selection
     * @return this directory
     * @throws IllegalArgumentException if the name is invalid
     */
    public PluginDirectory add(AuthPluginFactory factory) {
        factories
                .computeIfAbsent(PluginNames.require(factory.type()), name -> new ArrayList<>())
                .add(factory);
        return this;
    }

    /**
     * The selectable types and names, sorted.
     *
     * @return a copy
     */
    public Set<String> names() {
        return new TreeSet<>(factories.keySet());
    }

    /**
     * The broken providers, a line for each; for the log.
     *
     * @return empty if all providers were loaded; no line contains a value of a setting
     */
    public List<String> broken() {
        return List.copyOf(broken);
    }

    /**
     * Makes the plugins of these names, in this order. The type of each plugin is its setting {@code type}, or else its name.
     *
     * @param names in the order of the chain
     * @param configs the settings of each, by name
     * @return a chain that owns the plugins made from factories
     * @throws PluginSelectionException if a name is invalid or occurs twice, if a type is unknown or claimed by two factories, if
     *     a plugin cannot be made from its settings, or if a setting is unknown. The plugins made so far are closed; added
     *     plugins are not
     */
    public AuthChain select(List<String> names, Function<String, PluginConfig> configs) {
        Selection selection = new Selection();
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (seen.add(name)) {
                selection.add(name, configs);
            } else {
                selection.problems.add("Plugin '" + name + "' is selected twice");
            }
        }
        return selection.chain();
    }

    private String whatThereIs() {
        String known = factories.isEmpty() ? "there is none at all" : "there are: " + String.join(", ", names());
        return broken.isEmpty() ? known : known + "; these could not be loaded: " + String.join(" | ", broken);
    }

    private static String classesOf(List<AuthPluginFactory> candidates) {
        return String.join(
                " and ", candidates.stream().map(PluginDirectory::classNameOf).toList());
    }

    private static String classNameOf(AuthPluginFactory factory) {
        return factory instanceof ReadyMade ready
                ? ready.plugin.getClass().getName()
                : factory.getClass().getName();
    }

    /** An added plugin in the form of a factory, so that there is a single way to select. */
    private record ReadyMade(AuthPlugin plugin) implements AuthPluginFactory {

        @Override
        public String type() {
            return plugin.name();
        }

        @Override
        public AuthPlugin create(String name, PluginConfig config) {
            return plugin;
        }
    }

    /** The plugins of a selection, and all its problems. */
    private final class Selection {

        private final List<AuthPlugin> plugins = new ArrayList<>();
        private final List<AuthPlugin> made = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();
        private final List<Throwable> causes = new ArrayList<>();

        void add(String name, Function<String, PluginConfig> configs) {
            PluginConfig config = PluginConfig.empty();
            try {
                config = configs.apply(name);
                AuthPluginFactory factory = factoryOf(name, config.text(TYPE).orElse(name));
                if (factory instanceof ReadyMade ready) {
                    plugins.add(ready.plugin);
                } else if (factory != null) {
                    make(PluginNames.require(name), factory, config);
                }
            } catch (PluginConfigException e) {
                problems.add("Plugin '" + name + "': " + e.getMessage());
                causes.add(e);
            } catch (LinkageError | RuntimeException e) {
                problems.add("Plugin '" + name + "' could not be made: " + Causes.of(e, config::hasSecretIn));
                causes.add(e);
            }
        }

        /** Null after a reported problem. */
        private @Nullable AuthPluginFactory factoryOf(String name, String type) {
            List<AuthPluginFactory> candidates = factories.getOrDefault(type, List.of());
            if (candidates.isEmpty()) {
                String wanted =
                        type.equals(name) ? "is named '" + name : "that '" + name + "' could be is of type '" + type;
                problems.add("No plugin " + wanted + "'; " + whatThereIs());
            } else if (candidates.size() > 1) {
                problems.add(
                        "Plugin name '" + type + "' is claimed by " + classesOf(candidates) + "; remove all but one");
            } else if (candidates.get(0) instanceof ReadyMade && !type.equals(name)) {
                problems.add("Plugin '" + name + "' cannot be of type '" + type
                        + "': that is one plugin, which exists already");
            } else {
                return candidates.get(0);
            }
            return null;
        }

        private void make(String name, AuthPluginFactory factory, PluginConfig config) {
            AuthPlugin plugin = Objects.requireNonNull(factory.create(name, config), "its factory made nothing");
            made.add(plugin);
            plugins.add(plugin);
            if (!plugin.name().equals(name)) {
                problems.add("The factory of '" + factory.type() + "' made a plugin named '" + plugin.name()
                        + "' where it was asked for '" + name + "'");
            }
            if (!config.unread().isEmpty()) {
                problems.add("Plugin '" + name + "' knows no " + String.join(", ", config.unread()) + "; it knows "
                        + String.join(", ", config.read()));
            }
        }

        AuthChain chain() {
            if (!problems.isEmpty()) {
                PluginCalls.closeAll(made);
                throw new PluginSelectionException(problems, causes);
            }
            try {
                return AuthChain.of(plugins);
            } catch (IllegalArgumentException e) {
                // Two plugins read the same grant type.
                PluginCalls.closeAll(made);
                throw new PluginSelectionException(List.of(String.valueOf(e.getMessage())), List.of(e));
            }
        }
    }
}
