package dev.latchkey.tests.simulator;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs seeds until one breaks a promise. */
final class Histories implements AutoCloseable {

    private final Schedule.Threads threads = new Schedule.Threads();

    /** The broken promises of this seed, and the history; empty without a broken promise. */
    String broken(long seed, Fault fault) {
        Simulation history = Simulation.run(seed, fault, threads);
        List<String> broken = Promises.brokenBy(history.history());
        return broken.isEmpty() ? "" : told(history, broken);
    }

    /** The first broken history among the seeds that concern this fault. */
    String firstBroken(Fault fault, int seeds) {
        String found = "";
        for (long seed = 1; seed <= seeds && found.isEmpty(); seed++) {
            if (fault.concerns(Setting.drawn(new SplittableRandom(seed)))) {
                found = broken(seed, fault);
            }
        }
        return found;
    }

    String told(long seed, Fault fault) {
        Simulation history = Simulation.run(seed, fault, threads);
        return told(history, Promises.brokenBy(history.history()));
    }

    private static String told(Simulation history, List<String> broken) {
        return Stream.of(
                        Stream.of("seed " + history.seed + ": -Dsimulator.seed=" + history.seed),
                        Stream.of(history.setting.toString()),
                        history.events.stream(),
                        history.ops.stream().map(Op::toString),
                        broken.stream().map(each -> "BROKEN " + each))
                .flatMap(lines -> lines)
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        threads.close();
    }
}
