package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthPluginFactory;
import dev.latchkey.auth.PluginConfig;
import java.time.InstantSource;

/** Creates any number of directories, each with its own settings, connections and threads. */
public final class LdapPluginFactory implements AuthPluginFactory {

    /** For {@link java.util.ServiceLoader}. */
    public LdapPluginFactory() {}

    @Override
    public String type() {
        return "ldap";
    }

    /** {@inheritDoc} An unavailable directory or a rejected service account causes a log line and no exception. */
    @Override
    public AuthPlugin create(String name, PluginConfig config) {
        LdapSettings settings = LdapSettings.of(config);
        LdapAuthPlugin plugin = new LdapAuthPlugin(name, settings, InstantSource.system());
        plugin.tellWhetherItWorks();
        return plugin;
    }
}
