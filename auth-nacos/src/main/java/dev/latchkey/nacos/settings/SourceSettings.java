package dev.latchkey.nacos.settings;

import dev.latchkey.auth.engine.PluginConfig;
import java.util.List;
import java.util.Map;

/**
 * The sources of logins, in order.
 *
 * @param names of the sources; {@link #USERS} are the server's own users
 * @param configs the settings of each source, by its name; absent for a source without settings
 * @param rules the roles of subjects that the server does not know
 */
public record SourceSettings(List<String> names, Map<String, PluginConfig> configs, RoleRules rules) {

    /** The source of the server's own users. */
    public static final String USERS = "users";

    /** Only the server's own users. */
    public static final SourceSettings USERS_ALONE =
            new SourceSettings(List.of(USERS), Map.of(), new RoleRules(List.of()));

    /**
     * Copies the collections.
     *
     * @param names at least one
     * @param configs by the name of a source
     * @param rules for facts of these sources
     */
    public SourceSettings {
        names = List.copyOf(names);
        configs = Map.copyOf(configs);
    }

    /**
     * The settings of a source.
     *
     * @param name of the source
     * @return the settings; empty if the configuration has no settings for the source
     */
    public PluginConfig configOf(String name) {
        return configs.getOrDefault(name, PluginConfig.empty());
    }

    /**
     * Whether the server's own users may log in.
     *
     * @return false if all accounts are in other sources
     */
    public boolean hasUsers() {
        return names.contains(USERS);
    }
}
