package dev.latchkey.auth.factory;

import dev.latchkey.auth.AuthPlugin;
import java.util.List;

/**
 * Creates plugins from their configuration. {@link java.util.ServiceLoader} finds the factory, so a jar on the class
 * path is enough.
 *
 * <p>An implementation is public, has a public constructor without parameters, and does nothing before {@link #create}.
 * Its class is named in {@code META-INF/services/dev.latchkey.auth.factory.AuthPluginFactory} or in a {@code
 * provides} clause of its module.
 */
public interface AuthPluginFactory {

    /** The version of the SPI. A change that breaks existing plugins raises the version. */
    int SPI_VERSION = 1;

    /**
     * The version of the SPI that the plugin was built for: {@code return SPI_VERSION;}. The compiler copies the number
     * into the plugin's class. A service with another version of the SPI does not start, and names the plugin's jar.
     *
     * @return {@link #SPI_VERSION}
     */
    int spiVersion();

    /**
     * The type of the created plugins, in the form of a plugin's name. By default a plugin's name is also its type. A
     * plugin with another name needs a type in the configuration: {@code latchkey.plugin.emea.type=directory}. So a
     * service may have several plugins of one type.
     *
     * @return the same text at every call
     */
    String type();

    /**
     * The settings of such a plugin. The service checks the configuration against all descriptions before the first
     * {@link #create}, and reports all mistakes at once.
     *
     * @return each key once, in the order for readers; an unknown key in the configuration stops the start
     */
    List<PluginSetting<?>> settings();

    /**
     * Checks the settings against each other, and reports each mistake by {@link PluginEnvironment#wrong} or {@link
     * PluginEnvironment#missing}. Called after the check of each setting alone. The service then reports all mistakes of
     * all plugins at once, and does not call {@link #create}. Does nothing unless overridden.
     *
     * @param environment with the checked settings
     */
    default void check(PluginEnvironment environment) {}

    /**
     * Creates a plugin, ready for use.
     *
     * @param environment with the plugin's name, its checked settings, the time, meters and health
     * @return a new plugin at each call; several threads use the plugin from now on
     * @throws PluginConfigException if a setting is wrong all the same, such as a file without content; the message names
     *     a key
     */
    AuthPlugin create(PluginEnvironment environment);
}
