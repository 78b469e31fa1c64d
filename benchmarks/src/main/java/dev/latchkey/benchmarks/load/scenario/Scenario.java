package dev.latchkey.benchmarks.load.scenario;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.report.Section;

/** A situation, measured beside its comparison. */
public interface Scenario {

    /** The seconds that a run takes on an idle machine, about: from its windows, rounds and starts. */
    default double seconds(Effort effort) {
        return 0;
    }

    Section run(Effort effort, Progress progress) throws Exception;
}
