package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthPluginFactory;
import dev.latchkey.auth.PluginConfig;
import java.time.InstantSource;

/** Makes as many directories as configuration names, each with its own settings, connections and threads. */
public final class LdapPluginFactory implements AuthPluginFactory {

    /** For {@link java.util.ServiceLoader}. */
    public LdapPluginFactory() {}

    @Override
    public String type() {
        return "ldap";
    }

    /** {@inheritDoc} A directory that does not answer, or refuses the service's account, is a line in the log and no exception. */
    @Override
    public AuthPlugin create(String name, PluginConfig config) {
        LdapSettings settings = LdapSettings.of(config);
        LdapAuthPlugin plugin = new LdapAuthPlugin(name, settings, InstantSource.system());
        plugin.tellWhetherItWorks();
        return plugin;
    }
}
