package dev.latchkey.benchmarks.load.process;

import dev.latchkey.benchmarks.load.scenario.Effort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Variants of a service side by side, measured in turn: other load on the machine affects all variants. All processes are
 * restarted a few times, because two virtual machines compile the same program differently, with a lasting difference of a tenth.
 */
public record Rounds(int processes, int each) {

    public int all() {
        return processes * each;
    }

    /**
     * Warms all processes up, then measures.
     *
     * @param warmUp one pass of a variant
     * @param measure a reading of a variant
     * @param afterEach receives the results after each set of processes
     */
    public <V extends Enum<V>> void run(
            Effort effort,
            V[] variants,
            Function<V, ServiceProcess> start,
            BiConsumer<V, Ruler> warmUp,
            BiConsumer<V, Ruler> measure,
            Runnable afterEach) {
        for (int process = 0; process < processes; process++) {
            List<V> toWarmUp = turn(List.of(variants), process);
            Map<V, Ruler> rulers = new ConcurrentHashMap<>();
            try {
                Map<V, ServiceProcess> services = ServiceProcess.startEach(variants, start);
                services.forEach((variant, service) -> rulers.put(variant, new Ruler(service)));
                WarmUp.run(
                        services.values(),
                        effort,
                        () -> toWarmUp.forEach(variant -> warmUp.accept(variant, rulers.get(variant))));
                for (int round = 0; round < each; round++) {
                    turn(List.of(variants), process * each + round)
                            .forEach(variant -> measure.accept(variant, rulers.get(variant)));
                }
                afterEach.run();
            } finally {
                rulers.values().forEach(Ruler::close);
            }
        }
    }

    /** Each turn begins with the next variant: the place in a turn changes what a request costs. */
    public static <V> List<V> turn(List<V> variants, int number) {
        List<V> turn = new ArrayList<>(variants);
        Collections.rotate(turn, -number);
        return turn;
    }
}
