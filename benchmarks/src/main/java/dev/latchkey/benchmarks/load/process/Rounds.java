package dev.latchkey.benchmarks.load.process;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Variants of a service side by side, measured in turn: other load on the machine affects all variants. All processes are
 * restarted a few times, because two virtual machines compile the same program differently, with a lasting difference of a tenth.
 */
public record Rounds(int processes, int each) {

    /** Of the warm-up; each takes a part of its time. */
    public static final int PASSES = 3;

    /** The work for a variant. */
    public interface Turn<V> {
        void take(V variant, Ruler ruler);
    }

    public int all() {
        return processes * each;
    }

    /**
     * Warms up each process in three passes, in turn, so that the compilers of all variants compete for the processors; then
     * measures.
     *
     * @param warmUp called with the number of passes
     * @param afterEach receives the results after each set of processes
     */
    public <V extends Enum<V>> void run(
            V[] variants, Function<V, ServiceProcess> start, Turn<V> warmUp, Turn<V> measure, Runnable afterEach) {
        for (int process = 0; process < processes; process++) {
            Map<V, Ruler> rulers = Collections.synchronizedMap(new java.util.HashMap<>());
            try {
                ServiceProcess.startEach(variants, start)
                        .forEach((variant, service) -> rulers.put(variant, Ruler.on(service)));
                for (int pass = 0; pass < PASSES; pass++) {
                    rulers.forEach(warmUp::take);
                }
                for (int round = 0; round < each; round++) {
                    // Each round begins with another variant.
                    List<V> turn = new ArrayList<>(Arrays.asList(variants));
                    Collections.rotate(turn, -round);
                    turn.forEach(variant -> measure.take(variant, rulers.get(variant)));
                }
                afterEach.run();
            } finally {
                rulers.values().forEach(Ruler::close);
            }
        }
    }
}
