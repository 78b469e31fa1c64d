package dev.latchkey.benchmarks.load;

import io.hyperfoil.api.statistics.StatisticsSnapshot;
import io.hyperfoil.http.statistics.HttpStats;
import java.util.function.DoubleSupplier;
import org.HdrHistogram.Histogram;

/** The counts of a call of a crowd. Times are in nanoseconds. */
public final class Tally {

    private static final long LONGEST_NANOS = 10L * 60 * 1_000_000_000;
    private static final double NANOS_PER_MILLI = 1e6;

    /** The largest share of failed requests in a comparison. */
    private static final double MOST_FAILED = 0.01;

    private final Histogram times = new Histogram(LONGEST_NANOS, 3);
    private final Histogram good2xx = new Histogram(LONGEST_NANOS, 3);
    private final DoubleSupplier seconds;
    private long requests;
    private long good;
    private long refused;
    private long overloaded;
    private long other;
    private long broken;
    private double lastGood;
    private double durationSeconds;

    /**
     * @param seconds since the start of the load, the same for all its calls
     */
    public Tally(DoubleSupplier seconds) {
        this.seconds = seconds;
    }

    public void add(StatisticsSnapshot second) {
        times.add(second.histogram);
        requests += second.requestCount;
        // The generator closes the connection after a time-out and after an error of its own, and counts both.
        broken += second.connectionErrors;
        HttpStats statuses = HttpStats.get(second);
        if (statuses != null) {
            good += statuses.status_2xx;
            refused += statuses.status_4xx;
            overloaded += statuses.status_5xx;
            other += statuses.status_3xx + statuses.status_other;
        }
    }

    /** Called for the first byte of each answer, with the time since the user began to ask. */
    public void firstByte(int status, long nanos) {
        if (status / 100 == 2) {
            good2xx.recordValue(Math.min(nanos, LONGEST_NANOS));
            lastGood = seconds.getAsDouble();
        }
    }

    /**
     * The duration of the requests; rates count until the last counted answer. A late answer to a rate-limited login is not a
     * part of the time for logins.
     */
    public void lasted(double seconds) {
        this.durationSeconds = Math.max(seconds, lastGood);
    }

    public long requests() {
        return requests;
    }

    /** Answered with 2xx. */
    public long good() {
        return good;
    }

    /** Answered with 4xx. */
    public long refused() {
        return refused;
    }

    /** Answered with 5xx. */
    public long overloaded() {
        return overloaded;
    }

    /** Without an answer: connection broken, timed out, or still open at the end. */
    public long unanswered() {
        return requests - good - refused - overloaded - other;
    }

    /** Answers outside 2xx, requests without an answer, and answers that broke off. */
    public long errors() {
        // A rejection may break off too, and is one error.
        return Math.max(requests - good, broken);
    }

    /**
     * This tally, for a comparison: a service that fails its requests is not compared.
     *
     * @param name for the message
     * @throws IllegalStateException if no request was answered, or more than 1 % have failed
     */
    public Tally answered(String name) {
        return withFailed(errors(), name);
    }

    /** The same for a service that may answer 5xx, because the load is more than its limit. */
    public Tally answeredOrOverloaded(String name) {
        return withFailed(Math.max(requests - good - overloaded, broken), name);
    }

    private Tally withFailed(long failed, String name) {
        if (good == 0 || failed > MOST_FAILED * requests) {
            throw new IllegalStateException(name + ": of " + requests + " requests, " + good + " were answered, "
                    + refused + " refused, " + overloaded + " overloaded and " + unanswered() + " unanswered");
        }
        return this;
    }

    /** Answers with 2xx per second. */
    public double perSecond() {
        return good / durationSeconds;
    }

    /** The mean time to the complete answer, of any status. */
    public double meanMillis() {
        return times.getMean() / NANOS_PER_MILLI;
    }

    public double millisAt(double percentile) {
        return times.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    /** From the start of the call, with the connection, until the first byte of an answer with 2xx. */
    public double goodMillisAt(double percentile) {
        return good2xx.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }
}
