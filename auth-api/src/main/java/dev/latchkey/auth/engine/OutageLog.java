package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Logs the start of an outage of a plugin or a store, with the cause, and its end.
 *
 * <p>Each change is a single line, for any number of failed calls. An outage ends after ten seconds without a failure, so
 * alternating failures do not fill the log. {@link AuthChain} has such a log for its plugins. Code with direct calls to a store
 * uses {@link #ask} or {@link #run}, and reports a later answer with {@link #failed} or {@link #answered}.
 *
 * <p>No secret is written. The log has the class and the message of each exception, on one line of bounded length. If the message
 * repeats a caller's credentials, the log has only the class. Safe for use by any number of threads.
 */
public final class OutageLog {

    private static final Duration SETTLED = Duration.ofSeconds(10);

    private static final Logger LOG = System.getLogger(OutageLog.class.getName());

    private final String format;
    private final InstantSource clock;

    /** The names of failed plugins or stores, with the time of the last failure. */
    private final Map<String, Instant> lastOutages = new ConcurrentHashMap<>();

    private OutageLog(String format, InstantSource clock) {
        this.format = format;
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * A log of stores with this clock.
     *
     * @param clock for the duration of an outage
     * @return a new log, without any outage
     */
    public static OutageLog ofStores(InstantSource clock) {
        return new OutageLog("%s", clock);
    }

    /** A log of plugins by name. */
    static OutageLog ofPlugins(InstantSource clock) {
        return new OutageLog("Plugin '%s'", clock);
    }

    /**
     * Asks a store, and returns its answer. An outage is logged.
     *
     * @param <T> the type of the answer
     * @param part the store's name in the log, such as {@code The store of logins}; a constant from a small set
     * @param question called once, on the calling thread
     * @return the answer, unchanged
     * @throws AuthUnavailableException if the question throws this exception
     */
    public <T> T ask(String part, Supplier<T> question) {
        T answer;
        try {
            answer = question.get();
        } catch (AuthUnavailableException e) {
            failed(part, e);
            throw e;
        }
        answered(part);
        return answer;
    }

    /**
     * As {@link #ask}, for a call without a result.
     *
     * @param part the name, as for {@link #ask}
     * @param command run once, on the calling thread
     */
    public void run(String part, Runnable command) {
        ask(part, () -> {
            command.run();
            return part;
        });
    }

    /**
     * A question ended without an answer: logged if this starts an outage.
     *
     * @param part the name, as for {@link #ask}
     * @param failure the reason, and the present behaviour
     */
    public void failed(String part, AuthUnavailableException failure) {
        failed(part, failure, message -> false);
    }

    /** The same, if messages may repeat a caller's credentials. */
    void failed(String part, AuthUnavailableException failure, Predicate<String> isSecret) {
        if (failure.kind() == AuthUnavailableException.Kind.OUTAGE && lastOutages.put(part, clock.instant()) == null) {
            LOG.log(Level.WARNING, format.formatted(part) + " does not answer: " + Causes.ofOwn(failure, isSecret));
        }
    }

    /**
     * A question was answered: logged if this ends an outage.
     *
     * @param part the name, as for {@link #ask}
     */
    public void answered(String part) {
        if (lastOutages.isEmpty()) {
            return;
        }
        Instant last = lastOutages.get(part);
        if (last != null && !clock.instant().isBefore(last.plus(SETTLED)) && lastOutages.remove(part, last)) {
            LOG.log(Level.INFO, format.formatted(part) + " answers again");
        }
    }
}
