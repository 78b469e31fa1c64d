package dev.latchkey.auth.contract;

import com.sun.net.httpserver.HttpHandler;
import dev.latchkey.auth.AuthPlugin;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;

/**
 * What a plugin asks over HTTP, so that the kit can run it and break it. The kit starts it at an address of this machine.
 *
 * @param plugin makes the plugin for a backend at this address; with short times, since each of many tests waits for them
 * @param answers what the backend says while it works; it knows the accounts of the fixture's credentials
 * @param timeout the time within which the plugin has answered, whatever the backend does: to connect, to ask and to read
 * @param recovery how long a backend that works again may still be left alone, as by a circuit that is open
 * @param grace how much later than {@code timeout} an answer may come since the machine does other things
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
     * @param answers what the backend says while it works
     * @param timeout the time within which the plugin has answered
     * @param recovery how long a backend that works again may still be left alone
     * @param grace how much later than {@code timeout} an answer may come
     */
    public HttpBackend {
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(answers, "answers");
        Objects.requireNonNull(timeout, "timeout");
        Objects.requireNonNull(recovery, "recovery");
        Objects.requireNonNull(grace, "grace");
    }

    /**
     * A backend that the plugin asks again at once when it works again.
     *
     * @param plugin makes the plugin for a backend at this address
     * @param answers what the backend says while it works
     * @param timeout the time within which the plugin has answered
     * @return a backend with five seconds of grace
     */
    public static HttpBackend of(PluginAt plugin, HttpHandler answers, Duration timeout) {
        return new HttpBackend(plugin, answers, timeout, Duration.ZERO, Duration.ofSeconds(5));
    }

    /**
     * The same, left alone for as long after it has failed.
     *
     * @param recovery as the circuit of the plugin needs
     * @return another backend
     */
    public HttpBackend withRecovery(Duration recovery) {
        return new HttpBackend(plugin, answers, timeout, recovery, grace);
    }

    /**
     * The same, for another machine.
     *
     * @param grace how much later than the time-out an answer may come
     * @return another backend
     */
    public HttpBackend withGrace(Duration grace) {
        return new HttpBackend(plugin, answers, timeout, recovery, grace);
    }

    Duration longestAnswer() {
        return timeout.plus(grace);
    }
}
