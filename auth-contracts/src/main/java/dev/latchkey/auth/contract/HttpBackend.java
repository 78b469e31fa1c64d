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
        AuthPlugin at(URI backend) throws Exception;
    }

    public HttpBackend {
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(answers, "answers");
        Objects.requireNonNull(timeout, "timeout");
        Objects.requireNonNull(recovery, "recovery");
        Objects.requireNonNull(grace, "grace");
    }

    /** Asked again at once when it works again. */
    public static HttpBackend of(PluginAt plugin, HttpHandler answers, Duration timeout) {
        return new HttpBackend(plugin, answers, timeout, Duration.ZERO, Duration.ofSeconds(5));
    }

    /** The same, left alone for as long after it has failed. */
    public HttpBackend withRecovery(Duration recovery) {
        return new HttpBackend(plugin, answers, timeout, recovery, grace);
    }

    /** The same, for another machine. */
    public HttpBackend withGrace(Duration grace) {
        return new HttpBackend(plugin, answers, timeout, recovery, grace);
    }

    Duration longestAnswer() {
        return timeout.plus(grace);
    }
}
