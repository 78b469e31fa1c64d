package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.PluginConfig;
import dev.latchkey.auth.engine.PluginHost;
import dev.latchkey.auth.factory.PluginEnvironment;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Plugins of a test's settings, and logins by them. */
final class Plugins {

    static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

    private Plugins() {}

    static LdapAuthPlugin of(Map<String, String> settings, String... changes) {
        PluginEnvironment environment = environment(config(settings, changes));
        return new LdapAuthPlugin(environment, LdapSettings.of(environment));
    }

    /** @throws dev.latchkey.auth.factory.PluginConfigException if a setting is wrong */
    static PluginEnvironment environment(PluginConfig config) {
        return config.environment("ldap", LdapSettings.ALL, new PluginHost(InstantSource.fixed(NOW), List.of()));
    }

    /** @param changes keys and their values by turns; an empty value takes the key away */
    static PluginConfig config(Map<String, String> settings, String... changes) {
        Map<String, String> all = new TreeMap<>(settings);
        for (int i = 0; i < changes.length; i += 2) {
            all.put(changes[i], changes[i + 1]);
        }
        all.values().removeIf(String::isEmpty);
        return PluginConfig.of("latchkey.plugin.ldap.", all);
    }

    static PasswordCredentials login(String name, String password) {
        return new PasswordCredentials(name, Secret.of(password));
    }

    static Decision decide(LdapAuthPlugin plugin, String name, String password) {
        return plugin.authenticate(login(name, password), RequestContext.none());
    }
}
