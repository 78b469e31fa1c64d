package dev.latchkey.auth.contract;

import com.sun.net.httpserver.HttpHandler;
import dev.latchkey.auth.AuthPlugin;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;

/**
 * The HTTP backend of a plugin, run and broken by the kit at an address of this machine.
 *
 * @param plugin makes the plugin for a backend at this address; with short time limits, because many tests wait for them
 * @param answers the answers of the working backend, with the accounts of the fixture's credentials
 * @param timeout the plugin's maximum time for an answer during any failure of the backend; includes the connection, the request
 *     and the response
 * @param recovery how long the plugin may ignore a backend that works again, for example with an open circuit breaker
 * @param grace the additional time for other load on the machine
 */
public record HttpBackend(PluginAt plugin, HttpHandler answers, Duration timeout, Duration recovery, Duration grace) {

    /** Makes a plugin for the backend at this address. */
    @FunctionalInterface
    public interface PluginAt {
        /**
         * A plugin for the backend at this address.
         *
         * @param backend an address of this machine
         * @return of the role whose kit runs
         * @throws Exception if the plugin cannot be made
         */
        AuthPlugin at(URI backend) throws Exception;
    }

    /**
     * @param plugin makes the plugin for a backend at this address
     * @param answers the answers of the working backend
     * @param timeout the plugin's maximum time for an answer
     * @param recovery how long the plugin may ignore a backend that works again
     * @param grace the additional time after {@code timeout}
     */
    public HttpBackend {
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(answers, "answers");
        Objects.requireNonNull(timeout, "timeout");
        Objects.requireNonNull(recovery, "recovery");
        Objects.requireNonNull(grace, "grace");
    }

    /**
     * A backend for a plugin without a recovery time.
     *
     * @param plugin makes the plugin for a backend at this address
     * @param answers the answers of the working backend
     * @param timeout the plugin's maximum time for an answer
     * @return a backend with five seconds of grace
     */
    public static HttpBackend of(PluginAt plugin, HttpHandler answers, Duration timeout) {
        return new HttpBackend(plugin, answers, timeout, Duration.ZERO, Duration.ofSeconds(5));
    }

    /**
     * A copy with another recovery time.
     *
     * @param recovery how long the plugin's circuit breaker may stay open after a failure
     * @return a changed copy
     */
    public HttpBackend withRecovery(Duration recovery) {
        return new HttpBackend(plugin, answers, timeout, recovery, grace);
    }

    /**
     * A copy with another grace, for example for a machine with more load.
     *
     * @param grace how much later than the timeout an answer may come
     * @return a changed copy
     */
    public HttpBackend withGrace(Duration grace) {
        return new HttpBackend(plugin, answers, timeout, recovery, grace);
    }

    Duration longestAnswer() {
        return timeout.plus(grace);
    }
}
