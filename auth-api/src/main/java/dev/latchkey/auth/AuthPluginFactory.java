package dev.latchkey.auth;

/**
 * Makes plugins from their configuration. {@link java.util.ServiceLoader} finds it, so a jar on the class path is enough.
 *
 * <p>An implementation is public with a public constructor without parameters, does nothing before {@link #create}, and is named in {@code
 * META-INF/services/dev.latchkey.auth.AuthPluginFactory}, or in a {@code provides} clause of its module.
 */
public interface AuthPluginFactory {

    /**
     * The type of the plugins that this makes, in the form of a plugin's name. Configuration that selects this name gets a plugin of this type. A plugin
     * of another name sets its type: {@code latchkey.plugin.emea.type=directory}; so there may be several of one type.
     *
     * @return the same text at every call
     */
    String type();

    /**
     * Makes a plugin, ready for use.
     *
     * @param name the name that {@link AuthPlugin#name()} must return
     * @param config its settings, under keys without a prefix; a key that is set and that nobody reads stops the start
     * @return a plugin that is asked from now on, by several threads at once; a new one at each call
     * @throws PluginConfigException if the configuration is incomplete or wrong; the message names the key
     */
    AuthPlugin create(String name, PluginConfig config);
}
