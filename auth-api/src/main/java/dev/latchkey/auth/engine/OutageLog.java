package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The outages of plugins or stores. Logs the start of each, with the cause, and its end; health reads the same outages.
 *
 * <p>Each change is a single line, for any number of failed calls. In the log, an outage ends at the first answer that comes ten
 * seconds or more after the last failure. So alternating failures do not fill the log. A part is {@link #down} for half a minute
 * after a failed call, unless an answer follows. So a service without calls recovers.
 *
 * <p>The failure of an interrupted thread is no outage: the caller gave up, and the store may be well.
 *
 * <p>{@link AuthChain} has such a log for its plugins. Code with direct calls to a store uses {@link #ask} or {@link #run}. Other
 * code, such as code with asynchronous calls, uses {@link #failed} and {@link #answered}.
 *
 * <p>No secret is written. The log has the class and the message of each exception, on one line of bounded length. If the message
 * repeats a caller's credentials, the log has only the class. Safe for use by any number of threads.
 */
public final class OutageLog {

    private static final Duration SETTLED = Duration.ofSeconds(10);
    private static final Duration REMEMBERED = Duration.ofSeconds(30);

    private static final Logger LOG = System.getLogger(OutageLog.class.getName());

    private final String format;
    private final InstantSource clock;

    /** The names of failed plugins or stores. */
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();

    /** @param isAnswered whether there was an answer after the last failure */
    private record Outage(Instant last, boolean isAnswered) {

        /** True for an ended outage that is still in the map, because no later call removed the outage. */
        boolean isOverAt(Instant now) {
            return isAnswered && !now.isBefore(last.plus(SETTLED));
        }
    }

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
     * Notes a question without an answer. Logs the start of an outage.
     *
     * @param part the name, as for {@link #ask}
     * @param failure the reason, and the present behaviour
     */
    public void failed(String part, AuthUnavailableException failure) {
        failed(part, failure, message -> false);
    }

    /** The same, if messages may repeat a caller's credentials. */
    void failed(String part, AuthUnavailableException failure, Predicate<String> isSecret) {
        if (failure.kind() != AuthUnavailableException.Kind.OUTAGE
                || Thread.currentThread().isInterrupted()) {
            return;
        }
        Instant now = clock.instant();
        Outage before = outages.put(part, new Outage(now, false));
        if (before == null || before.isOverAt(now)) {
            LOG.log(
                    Level.WARNING,
                    String.format(Locale.ROOT, format, part) + " does not answer: " + Causes.ofOwn(failure, isSecret));
        }
    }

    /**
     * Notes an answered question. Logs the end of an outage.
     *
     * @param part the name, as for {@link #ask}
     */
    public void answered(String part) {
        Outage outage = outages.isEmpty() ? null : outages.get(part);
        if (outage == null) {
            return;
        }
        if (clock.instant().isBefore(outage.last().plus(SETTLED))) {
            outages.replace(part, outage, new Outage(outage.last(), true));
        } else if (outages.remove(part, outage)) {
            LOG.log(Level.INFO, String.format(Locale.ROOT, format, part) + " answers again");
        }
    }

    /** The names of the parts with a failure in the last half minute, and without an answer since; sorted. */
    Set<String> down() {
        Instant since = clock.instant().minus(REMEMBERED);
        Set<String> down = new TreeSet<>();
        outages.forEach((part, outage) -> {
            if (!outage.isAnswered() && !outage.last().isBefore(since)) {
                down.add(part);
            }
        });
        return down;
    }
}
