package dev.latchkey.nacos.settings;

import dev.latchkey.auth.engine.PluginConfig;
import dev.latchkey.auth.engine.PluginNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads {@link SourceSettings}. Each mistake is an {@link IllegalArgumentException} with the name of the property. */
final class SourceReader {

    static final String SOURCES = "sources";
    static final String PLUGIN = "plugin.";
    static final String ROLE = "role.";

    private final ServerProperties properties;

    SourceReader(ServerProperties properties) {
        this.properties = properties;
    }

    /** Whether this class reads the property, by its name behind the plugin's own prefix. */
    static boolean reads(String name) {
        return name.equals(SOURCES) || name.startsWith(PLUGIN) || name.startsWith(ROLE);
    }

    SourceSettings read() {
        List<String> names = names();
        Map<String, Map<String, String>> settings = new HashMap<>();
        List<RoleRules.Rule> rules = new ArrayList<>();
        for (String name : properties.ownNames()) {
            if (name.startsWith(PLUGIN)) {
                addSetting(name, names, settings);
            } else if (name.startsWith(ROLE)) {
                rules.addAll(rulesIn(name, names));
            }
        }
        Map<String, PluginConfig> configs = new HashMap<>();
        settings.forEach((source, values) ->
                configs.put(source, PluginConfig.of(ServerProperties.OWN + PLUGIN + source + ".", values)));
        return new SourceSettings(names, configs, new RoleRules(rules));
    }

    /**
     * The sources in order. The server's own users come first: a source in front of them would lock them out while the
     * source is down, and could answer for the name of an administrator.
     */
    private List<String> names() {
        List<String> names = listIn(properties.own(SOURCES));
        if (names.isEmpty()) {
            return List.of(SourceSettings.USERS);
        }
        for (String name : names) {
            try {
                String unused = PluginNames.require(name);
            } catch (IllegalArgumentException e) {
                throw mistake(SOURCES, e.getMessage());
            }
        }
        if (new HashSet<>(names).size() < names.size()) {
            throw mistake(SOURCES, "has a name twice");
        }
        if (names.indexOf(SourceSettings.USERS) > 0) {
            throw mistake(
                    SOURCES,
                    "must begin with " + SourceSettings.USERS
                            + ": an outage of a source before it would lock out the server's own users");
        }
        return names;
    }

    private void addSetting(String name, List<String> sources, Map<String, Map<String, String>> settings) {
        String rest = name.substring(PLUGIN.length());
        int dot = rest.indexOf('.');
        String source = dot < 0 ? rest : rest.substring(0, dot);
        if (dot < 0 || source.equals(SourceSettings.USERS) || !sources.contains(source)) {
            throw mistake(
                    name,
                    "is the setting of no source; " + ServerProperties.OWN + SOURCES + " has "
                            + String.join(",", sources));
        }
        String value = properties.own(name);
        if (value != null) {
            settings.computeIfAbsent(source, key -> new TreeMap<>()).put(rest.substring(dot + 1), value);
        }
    }

    private List<RoleRules.Rule> rulesIn(String name, List<String> sources) {
        String role = name.substring(ROLE.length());
        List<RoleRules.Rule> rules = new ArrayList<>();
        for (String each : listIn(properties.own(name))) {
            int colon = each.indexOf(':');
            String source = colon < 0 ? "" : each.substring(0, colon);
            if (role.isBlank() || colon == each.length() - 1 || source.isEmpty()) {
                throw mistake(
                        name, "is a list of source:authority or source:claim=value, such as " + "ldap:ROLE_DEVELOPERS");
            }
            if (source.equals(SourceSettings.USERS) || !sources.contains(source)) {
                throw mistake(
                        name,
                        "names '" + source + "'; a rule is for a source in " + ServerProperties.OWN + SOURCES
                                + " other than " + SourceSettings.USERS);
            }
            rules.add(new RoleRules.Rule(role, source, each.substring(colon + 1).trim()));
        }
        return rules;
    }

    private static List<String> listIn(@Nullable String value) {
        return value == null
                ? List.of()
                : Stream.of(value.split(",", -1))
                        .map(String::trim)
                        .filter(each -> !each.isEmpty())
                        .toList();
    }

    private static IllegalArgumentException mistake(String name, @Nullable String rule) {
        return new IllegalArgumentException(ServerProperties.OWN + name + " " + rule);
    }
}
