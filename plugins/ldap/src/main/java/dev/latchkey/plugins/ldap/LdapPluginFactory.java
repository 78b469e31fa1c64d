package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.util.List;

/** Creates any number of directories, each with its own settings, connections and threads. */
public final class LdapPluginFactory implements AuthPluginFactory {

    /** For {@link java.util.ServiceLoader}. */
    public LdapPluginFactory() {}

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public String type() {
        return "ldap";
    }

    @Override
    public List<PluginSetting<?>> settings() {
        return LdapSettings.ALL;
    }

    @Override
    public void check(PluginEnvironment environment) {
        LdapSettings.check(environment);
    }

    /** {@inheritDoc} An unavailable directory or a rejected service account causes a log line and no exception. */
    @Override
    public AuthPlugin create(PluginEnvironment environment) {
        LdapAuthPlugin plugin = new LdapAuthPlugin(environment, LdapSettings.of(environment));
        plugin.logConnection();
        return plugin;
    }
}
