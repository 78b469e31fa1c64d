package dev.latchkey.auth.engine;

import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

/**
 * The parts of a service for {@linkplain dev.latchkey.auth.factory.PluginEnvironment the environment} of each plugin.
 *
 * @param clock the service's time
 * @param listeners hear of all events; those of a plugin itself are {@link AuthEvent.Counted}
 */
public record PluginHost(InstantSource clock, List<AuthListener> listeners) {

    /** The system's time, and no listeners. */
    public static final PluginHost ALONE = new PluginHost(InstantSource.system(), List.of());

    /**
     * Copies the listeners.
     *
     * @param clock the service's time
     * @param listeners in order
     */
    public PluginHost {
        Objects.requireNonNull(clock, "clock");
        listeners = List.copyOf(listeners);
    }
}
