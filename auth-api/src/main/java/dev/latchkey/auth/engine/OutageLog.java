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
 * Logs that a plugin or a store does not answer, with the cause, and that it answers again.
 *
 * <p>There is one line for each change, however many calls fail meanwhile. What fails now and then counts as down until ten seconds have passed without
 * a failure, so nobody can fill the log by making it fail. {@link AuthChain} has one of these for its plugins; code that uses a store directly calls it
 * through {@link #ask} or {@link #run}, and where the answer comes later says what became of it: {@link #failed} or {@link #answered}.
 *
 * <p>No secret is written. Of each exception the log has the class and the message, on one line of bounded length; where the message repeats what a
 * caller presented, only the class. Safe for use by any number of threads.
 */
public final class OutageLog {

    private static final Duration SETTLED = Duration.ofSeconds(10);

    private static final Logger LOG = System.getLogger(OutageLog.class.getName());

    private final String format;
    private final InstantSource clock;

    /** What is down, and when it was last found so. */
    private final Map<String, Instant> lastOutages = new ConcurrentHashMap<>();

    private OutageLog(String format, InstantSource clock) {
        this.format = format;
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * A log of stores that takes the time from this clock.
     *
     * @param clock by which it is told how long an outage took
     * @return a log of its own, to which no outage is known
     */
    public static OutageLog ofStores(InstantSource clock) {
        return new OutageLog("%s", clock);
    }

    /** A log of plugins, each known by its name. */
    static OutageLog ofPlugins(InstantSource clock) {
        return new OutageLog("Plugin '%s'", clock);
    }

    /**
     * Asks a store, and returns its answer. An outage is logged.
     *
     * @param <T> the type of the answer
     * @param what the store's name in the log, such as {@code The store of logins}; one of a few constants
     * @param question is asked once, on the calling thread
     * @return the answer, unchanged
     * @throws AuthUnavailableException if the question throws it
     */
    public <T> T ask(String what, Supplier<T> question) {
        T answer;
        try {
            answer = question.get();
        } catch (AuthUnavailableException e) {
            failed(what, e);
            throw e;
        }
        answered(what);
        return answer;
    }

    /**
     * As {@link #ask}, for a call that returns nothing.
     *
     * @param what is called, as for {@link #ask}
     * @param command is run once, on the calling thread
     */
    public void run(String what, Runnable command) {
        ask(what, () -> {
            command.run();
            return what;
        });
    }

    /**
     * A question ended without an answer: logged where that is an outage, and news.
     *
     * @param what was asked, as for {@link #ask}
     * @param failure says why, and what holds meanwhile
     */
    public void failed(String what, AuthUnavailableException failure) {
        failed(what, failure, message -> false);
    }

    /** The same, where messages may repeat what a caller presented. */
    void failed(String what, AuthUnavailableException failure, Predicate<String> isSecret) {
        if (failure.kind() == AuthUnavailableException.Kind.OUTAGE && lastOutages.put(what, clock.instant()) == null) {
            LOG.log(Level.WARNING, format.formatted(what) + " does not answer: " + Causes.ofOwn(failure, isSecret));
        }
    }

    /**
     * A question was answered: logged where that is news.
     *
     * @param what was asked, as for {@link #ask}
     */
    public void answered(String what) {
        if (lastOutages.isEmpty()) {
            return;
        }
        Instant last = lastOutages.get(what);
        if (last != null && !clock.instant().isBefore(last.plus(SETTLED)) && lastOutages.remove(what, last)) {
            LOG.log(Level.INFO, format.formatted(what) + " answers again");
        }
    }
}
