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
 * {@code /actuator/counts}: the numbers that the page draws, in one answer. They are Latchkey's meters. The actuator's own {@code metrics} would
 * show all meters of the service, each by a request of its own; this shows eight numbers, none of them of an account.
 */
@Component
@Endpoint(id = "counts")
class CountsEndpoint {

    private final MeterRegistry meters;

    CountsEndpoint(MeterRegistry meters) {
        this.meters = meters;
    }

    /**
     * Since the start of this node, but for the last two, which are now.
     *
     * @param cacheHits passwords that the cache has answered
     * @param hashes password hashes that were computed
     * @param secondsSaved what the hits would have taken as hashes
     * @param tokensChecked bearer tokens that were good
     * @param refusedByLimits logins that a limit has refused (429)
     * @param refusedForLoad hashes for which no core was free in time (503)
     * @param refusalsHeld refusals that are not told yet
     * @param hashQueue hashes that are computed or wait
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

    /** Over all meters that are found; none where nothing of the kind has happened yet. */
    private static double sum(Search search) {
        return search.meters().stream().mapToDouble(CountsEndpoint::value).sum();
    }

    /** How often, of a counter or timer; how much, of a gauge. */
    private static double value(Meter meter) {
        return StreamSupport.stream(meter.measure().spliterator(), false)
                .filter(measured ->
                        measured.getStatistic() == Statistic.COUNT || measured.getStatistic() == Statistic.VALUE)
                .mapToDouble(Measurement::getValue)
                .findFirst()
                .orElse(0);
    }
}
