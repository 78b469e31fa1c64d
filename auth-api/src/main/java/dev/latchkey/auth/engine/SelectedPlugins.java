package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.engine.PluginDirectory.ReadyMade;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginConfigException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The plugins of one selection from a {@link PluginDirectory}, and all mistakes of the selection. Not for concurrent use. */
final class SelectedPlugins {

    private final PluginDirectory directory;
    private final PluginHost host;
    private final OutageLog outages;
    private final Set<String> names = new HashSet<>();
    private final List<AuthPlugin> plugins = new ArrayList<>();
    private final List<AuthPlugin> made = new ArrayList<>();
    private final List<String> mistakes = new ArrayList<>();
    private final List<Throwable> causes = new ArrayList<>();

    SelectedPlugins(PluginDirectory directory, PluginHost host) {
        this.directory = directory;
        this.host = host;
        this.outages = OutageLog.ofPlugins(host.clock());
    }

    void refuse(String mistake) {
        mistakes.add(mistake);
    }

    /** Adds the plugin of this name, or the mistakes in its configuration. */
    void add(String name, Function<String, PluginConfig> configs) {
        if (!names.add(name)) {
            mistakes.add("Plugin '" + name + "' is selected twice");
            return;
        }
        PluginConfig config = PluginConfig.empty();
        try {
            config = configs.apply(name);
            AuthPluginFactory factory =
                    factoryOf(name, config.find(PluginConfig.TYPE).orElse(name));
            if (factory instanceof ReadyMade ready) {
                addReady(name, ready.plugin(), config);
            } else if (factory != null) {
                make(PluginNames.require(name), factory, config);
            }
        } catch (PluginConfigException e) {
            e.mistakes().forEach(mistake -> mistakes.add(about(name) + mistake));
            causes.add(LoggedFailure.of(e, config::hasSecretIn));
        } catch (LinkageError | RuntimeException e) {
            mistakes.add("Plugin '" + name + "' could not be made: " + Causes.of(e, config::hasSecretIn));
            causes.add(LoggedFailure.of(e, config::hasSecretIn));
        }
    }

    private static String about(String name) {
        return "Plugin '" + name + "': ";
    }

    /** The factory of this type; null after a reported mistake. */
    private @Nullable AuthPluginFactory factoryOf(String name, String type) {
        List<AuthPluginFactory> candidates = directory.candidates(type);
        if (candidates.isEmpty()) {
            String wanted =
                    type.equals(name) ? "is named '" + name : "that '" + name + "' could be is of type '" + type;
            mistakes.add("No plugin " + wanted + "'; " + directory.whatThereIs());
        } else if (candidates.size() > 1) {
            String classes =
                    candidates.stream().map(SelectedPlugins::classNameOf).collect(Collectors.joining(" and "));
            mistakes.add("Plugin name '" + type + "' is claimed by " + classes + "; remove all but one");
        } else if (candidates.get(0) instanceof ReadyMade && !type.equals(name)) {
            mistakes.add(
                    "Plugin '" + name + "' cannot be of type '" + type + "': that is one plugin, which exists already");
        } else {
            return candidates.get(0);
        }
        return null;
    }

    private static String classNameOf(AuthPluginFactory factory) {
        return factory instanceof ReadyMade ready
                ? ready.plugin().getClass().getName()
                : factory.getClass().getName();
    }

    /** A setting that no code reads is a mistake: the author of the setting expects an effect. */
    private void addReady(String name, AuthPlugin plugin, PluginConfig config) {
        String why = ". The plugin is an object of " + plugin.getClass().getName() + ", made in code";
        config.mistakes(List.of(), why).forEach(mistake -> mistakes.add(about(name) + mistake));
        plugins.add(plugin);
    }

    private void make(String name, AuthPluginFactory factory, PluginConfig config) {
        AuthPlugin plugin = config.create(name, factory, host, outages);
        made.add(plugin);
        plugins.add(plugin);
        if (!plugin.name().equals(name)) {
            mistakes.add("The factory of '" + factory.type() + "' made a plugin named '" + plugin.name()
                    + "' where it was asked for '" + name + "'");
        }
    }

    /**
     * Creates the chain. If there are mistakes, closes the plugins made so far, and throws an exception with all
     * mistakes.
     */
    AuthChain chain() {
        if (!mistakes.isEmpty()) {
            PluginCalls.closeAll(made);
            throw new PluginSelectionException(mistakes, causes);
        }
        try {
            return AuthChain.of(plugins, host.clock(), outages);
        } catch (IllegalArgumentException e) {
            // Two plugins read the same grant type.
            PluginCalls.closeAll(made);
            throw new PluginSelectionException(List.of(String.valueOf(e.getMessage())), List.of(e));
        }
    }
}
