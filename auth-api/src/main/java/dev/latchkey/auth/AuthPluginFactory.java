package dev.latchkey.auth;

/**
 * Makes a plugin from its configuration; found by {@link java.util.ServiceLoader}, so that a jar on the class path is all
 * that it takes.
 *
 * <p>An implementation is public with a public constructor without parameters, does nothing before {@link #create}, and is
 * named in {@code META-INF/services/dev.latchkey.auth.AuthPluginFactory}, or in a {@code provides} clause of its module.
 */
public interface AuthPluginFactory {

    /** The name of the plugins that this makes; configuration selects it by this name. */
    String name();

    /**
     * Makes the plugin, ready for use.
     *
     * @throws PluginConfigException if the configuration is incomplete or wrong; the message names the key
     */
    AuthPlugin create(PluginConfig config);
}
