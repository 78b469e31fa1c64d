package dev.latchkey.benchmarks.load;

import io.hyperfoil.api.statistics.StatisticsSnapshot;
import io.hyperfoil.http.statistics.HttpStats;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.HdrHistogram.Histogram;

/** What was counted for one call of one crowd. Times are in nanoseconds. */
public final class Tally {

    private static final long LONGEST_NANOS = 10L * 60 * 1_000_000_000;
    private static final double NANOS_PER_MILLI = 1e6;

    /** How finely it is known when something happened. */
    public static final double BIN_SECONDS = 0.1;

    private final Histogram times = new Histogram(LONGEST_NANOS, 3);
    private final Histogram good2xx = new Histogram(LONGEST_NANOS, 3);
    private final DoubleSupplier seconds;
    private final Bins started = new Bins(BIN_SECONDS);
    private final Bins answered = new Bins(BIN_SECONDS);
    private final Bins bytes = new Bins(BIN_SECONDS);
    private long requests;
    private long good;
    private long refused;
    private long overloaded;
    private long failed;
    private double lastGood;
    private double durationSeconds;

    /** @param seconds since the load began, the same for all calls of it */
    public Tally(DoubleSupplier seconds) {
        this.seconds = seconds;
    }

    public void add(StatisticsSnapshot second) {
        times.add(second.histogram);
        requests += second.requestCount;
        failed += second.connectionErrors + second.requestTimeouts + second.internalErrors;
        HttpStats statuses = HttpStats.get(second);
        if (statuses != null) {
            good += statuses.status_2xx;
            refused += statuses.status_4xx;
            overloaded += statuses.status_5xx;
            failed += statuses.status_3xx + statuses.status_other;
        }
    }

    public void started() {
        started.addAt(seconds.getAsDouble(), 1);
    }

    /** Called for the first byte of each answer, with the time since the user began to ask. */
    public void firstByte(int status, long nanos) {
        answered.addAt(seconds.getAsDouble(), 1);
        if (status / 100 == 2) {
            good2xx.recordValue(Math.min(nanos, LONGEST_NANOS));
            lastGood = seconds.getAsDouble();
        }
    }

    public void received(int more) {
        bytes.addAt(seconds.getAsDouble(), more);
    }

    /**
     * How long requests were made; rates count until the last answer that is counted in them. A refusal that is told late is
     * no part of the time in which logins were done.
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

    /** Not answered: connection refused or broken, timed out, or still open when nobody waited any longer. */
    public long unanswered() {
        return Math.max(failed, requests - good - refused - overloaded);
    }

    /** Answers that were none of 2xx, and connections that broke; what was under way at the end is no error. */
    public long errors() {
        return refused + overloaded + failed;
    }

    /** Answers with 2xx per second. */
    public double perSecond() {
        return good / durationSeconds;
    }

    /** Until the whole answer was there, whatever its status. */
    public double meanMillis() {
        return times.getMean() / NANOS_PER_MILLI;
    }

    public double millisAt(double percentile) {
        return times.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    /** From the moment that a user began to ask, connecting included, until the first byte of an answer with 2xx. */
    public double goodMillisAt(double percentile) {
        return good2xx.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    /** How many asked and had no answer yet, at the end of each bin. */
    public List<Double> waiting() {
        List<Double> waiting = new ArrayList<>();
        double now = 0;
        for (int bin = 0; bin < Math.max(started.count(), answered.count()); bin++) {
            now += started.in(bin) - answered.in(bin);
            waiting.add(now);
        }
        return waiting;
    }

    /** Most bytes received in any second, wherever it begins. */
    public double mostBytesInASecond() {
        return bytes.mostInASecond();
    }

    public List<Double> bytesEachSecond() {
        return bytes.perSecond();
    }
}
