package dev.latchkey.examples.quickstart;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.search.Search;
import java.util.stream.StreamSupport;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.stereotype.Component;

/**
 * {@code /actuator/counts}: the numbers for the page, in a single answer. All numbers are meters of Latchkey. The actuator's own
 * {@code metrics} would show all meters of the service and need a request for each. This endpoint shows eight numbers. No number
 * is about an account.
 */
@Component
@Endpoint(id = "counts")
class CountsEndpoint {

    private final MeterRegistry meters;

    CountsEndpoint(MeterRegistry meters) {
        this.meters = meters;
    }

    /**
     * Counts since the start of this node. The last two numbers are current values.
     *
     * @param cacheHits passwords that the cache has answered
     * @param hashes computed password hashes
     * @param secondsSaved the time for the hashes that the cache has saved
     * @param tokensChecked valid bearer tokens
     * @param refusedByLimits logins that a limit has rejected (429)
     * @param refusedForLoad hashes that had no free core in time (503)
     * @param refusalsHeld rejections with a delayed answer
     * @param hashQueue running and waiting hashes
     */
    record Counts(
            long cacheHits,
            long hashes,
            double secondsSaved,
            long tokensChecked,
            long refusedByLimits,
            long refusedForLoad,
            long refusalsHeld,
            long hashQueue) {}

    @ReadOperation
    Counts counts() {
        return new Counts(
                count("latchkey.cache.gets", "result", "hit"),
                count("latchkey.hashing.hashes", "result", "completed"),
                sum(meters.find("latchkey.cache.saved")),
                count("latchkey.tokens", "defect", "none"),
                count("latchkey.limits.logins", "outcome", "refused"),
                count("latchkey.hashing.hashes", "result", "refused_full")
                        + count("latchkey.hashing.hashes", "result", "refused_late"),
                Math.round(sum(meters.find("latchkey.refusals.held"))),
                Math.round(sum(meters.find("latchkey.hashing.active")) + sum(meters.find("latchkey.hashing.waiting"))));
    }

    private long count(String name, String tag, String value) {
        return Math.round(sum(meters.find(name).tag(tag, value)));
    }

    /** The sum of all meters with this name; zero before the first event. */
    private static double sum(Search search) {
        return search.meters().stream().mapToDouble(CountsEndpoint::value).sum();
    }

    /** The number of events of a counter or timer; the value of a gauge. */
    private static double value(Meter meter) {
        return StreamSupport.stream(meter.measure().spliterator(), false)
                .filter(measured ->
                        measured.getStatistic() == Statistic.COUNT || measured.getStatistic() == Statistic.VALUE)
                .mapToDouble(Measurement::getValue)
                .findFirst()
                .orElse(0);
    }
}
