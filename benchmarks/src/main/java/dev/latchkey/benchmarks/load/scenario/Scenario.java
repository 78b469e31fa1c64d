package dev.latchkey.benchmarks.load.scenario;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.report.Section;

/** One situation, measured beside what it is compared with. */
public interface Scenario {

    /** For choosing it on the command line, and the anchor of its section. */
    String id();

    Section run(Effort effort, Progress progress) throws Exception;
}
