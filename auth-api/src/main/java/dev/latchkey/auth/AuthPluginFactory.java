package dev.latchkey.auth;

/**
 * Creates plugins from their configuration. {@link java.util.ServiceLoader} finds the factory, so a jar on the class
 * path is enough.
 *
 * <p>An implementation is public, has a public constructor without parameters, and does nothing before {@link #create}.
 * Its class is named in {@code META-INF/services/dev.latchkey.auth.AuthPluginFactory} or in a {@code provides} clause
 * of its module.
 */
public interface AuthPluginFactory {

    /**
     * The type of the created plugins, in the form of a plugin's name. By default a plugin's name is also its type. A
     * plugin with another name needs a type in the configuration: {@code latchkey.plugin.emea.type=directory}. So a
     * service may have several plugins of one type.
     *
     * @return the same text at every call
     */
    String type();

    /**
     * Creates a plugin, ready for use.
     *
     * @param name the result of {@link AuthPlugin#name()}
     * @param config the plugin's settings, under keys without a prefix; a key that the plugin does not read stops the
     *     start
     * @return a new plugin at each call; several threads use the plugin from now on
     * @throws PluginConfigException if the configuration is incomplete or wrong; the message names the key
     */
    AuthPlugin create(String name, PluginConfig config);
}
