package dev.latchkey.auth.factory;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The service around one plugin: the plugin's name and settings, the time, meters and health.
 *
 * <p>The service makes the environment after the check of all settings, so {@link #get} and {@link #find} do not fail for
 * a wrong value. Safe for use by any number of threads, during the whole life of the plugin.
 */
public interface PluginEnvironment {

    /** {@return the plugin's name, the result of {@link AuthPlugin#name()}} */
    String name();

    /** {@return the time of the service; tests set this time} */
    InstantSource clock();

    /**
     * The value of a setting that is required or has a default.
     *
     * @param <T> the type of the value
     * @param setting from {@link AuthPluginFactory#settings()}
     * @return the configured value or the default
     * @throws PluginConfigException if the setting is neither configured nor has a default
     * @throws IllegalArgumentException if the factory does not describe the setting
     */
    <T> T get(PluginSetting<T> setting);

    /**
     * The value of an optional setting.
     *
     * @param <T> the type of the value
     * @param setting from {@link AuthPluginFactory#settings()}
     * @return the configured value or the default; empty without both, and for a blank value
     * @throws IllegalArgumentException if the factory does not describe the setting
     */
    <T> Optional<T> find(PluginSetting<T> setting);

    /**
     * Reports a value that does not fit the other settings. The service does not start, and names all reported mistakes.
     *
     * @param setting with the wrong value
     * @param rule the right form, as the end of a sentence after "must be"; no secret value
     * @return an exception with the full key in its message, to throw if the code cannot go on
     */
    PluginConfigException wrong(PluginSetting<?> setting, String rule);

    /**
     * Reports a missing setting that the other settings make necessary. As {@link #wrong}.
     *
     * @param setting the missing setting
     * @return an exception with the full key in its message, to throw if the code cannot go on
     */
    PluginConfigException missing(PluginSetting<?> setting);

    /**
     * Counts an event of the plugin in the service's meters. Does not block.
     *
     * @param event at most 64 lower-case letters, digits and underscores, so the event cannot contain text from a caller;
     *     a plugin has a small, fixed number of different events
     * @throws IllegalArgumentException if the event has another form
     */
    void count(String event);

    /**
     * Reports that the plugin's backend is down. Not for a question of the chain, whose outage is an {@link
     * AuthUnavailableException}. A line of the log reports the outage. The service's health shows the outage until the
     * plugin's next answer, and for half a minute at most. Report again while the outage lasts.
     */
    void reportOutage();
}
