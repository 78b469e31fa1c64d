package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The selectable plugins: added plugins, and plugins found by {@link ServiceLoader}.
 *
 * <p>A broken provider does not affect other providers; {@link #broken} names the broken provider. A selection with an unknown
 * name fails, with a list of the known names. A selection with a name claimed by two providers fails, with their classes. A
 * provider for another version of the SPI stops each selection. Not for concurrent use.
 */
public final class PluginDirectory {

    /** Ends the loop if a loader fails at each call. No class path has this many broken providers. */
    private static final int MAX_FAILURES = 1_000;

    private final Map<String, List<AuthPluginFactory>> factories = new LinkedHashMap<>();
    private final Set<String> broken = new LinkedHashSet<>();
    private final Set<String> ofAnotherVersion = new LinkedHashSet<>();

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
     * Adds an existing plugin. A selection with the plugin's name contains this instance.
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
        if (versionOf(factory) != AuthPluginFactory.SPI_VERSION) {
            ofAnotherVersion.add(sentenceOf(factory, versionOf(factory)));
            return this;
        }
        factories
                .computeIfAbsent(PluginNames.require(factory.type()), name -> new ArrayList<>())
                .add(factory);
        return this;
    }

    /** The version in the factory's class; 0 for a class from before the version number. */
    private static int versionOf(AuthPluginFactory factory) {
        try {
            return factory.spiVersion();
        } catch (AbstractMethodError e) {
            return 0;
        }
    }

    private static String sentenceOf(AuthPluginFactory factory, int version) {
        CodeSource source = factory.getClass().getProtectionDomain().getCodeSource();
        String jar = source == null ? "" : " in " + source.getLocation();
        return "The plugin factory " + factory.getClass().getName() + jar + " was built for "
                + (version == 0 ? "an older version" : "version " + version) + " of the SPI, and this is version "
                + AuthPluginFactory.SPI_VERSION + ". Take the plugin's release for this version, or remove the jar";
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
     * @param configs the settings of each plugin, by name
     * @param host the service of the plugins
     * @return a chain with the host's clock and listeners; the chain owns the plugins made from factories
     * @throws PluginSelectionException if a name is invalid or occurs twice, or a type is unknown or has two factories. Also if
     *     a setting is missing, wrong or unknown, or a plugin cannot be made from its settings. Also if a factory is for another
     *     version of the SPI, or two plugins read the same grant type. The message has all mistakes. The plugins made so far are
     *     closed; added plugins stay open
     */
    public AuthChain select(List<String> names, Function<String, PluginConfig> configs, PluginHost host) {
        SelectedPlugins selected = new SelectedPlugins(this, host);
        ofAnotherVersion.forEach(selected::refuse);
        names.forEach(name -> selected.add(name, configs));
        AuthChain chain = selected.chain();
        for (AuthListener listener : host.listeners()) {
            chain = chain.withListener(listener);
        }
        return chain;
    }

    /** The factories and added plugins of this type. */
    List<AuthPluginFactory> candidates(String type) {
        return factories.getOrDefault(type, List.of());
    }

    String whatThereIs() {
        String known = factories.isEmpty() ? "there is none at all" : "there are: " + String.join(", ", names());
        return broken.isEmpty() ? known : known + "; these could not be loaded: " + String.join(" | ", broken);
    }

    /** An added plugin in the form of a factory, so that there is a single way to select. */
    record ReadyMade(AuthPlugin plugin) implements AuthPluginFactory {

        @Override
        public int spiVersion() {
            return SPI_VERSION;
        }

        @Override
        public String type() {
            return plugin.name();
        }

        @Override
        public List<PluginSetting<?>> settings() {
            return List.of();
        }

        @Override
        public AuthPlugin create(PluginEnvironment environment) {
            return plugin;
        }
    }
}
