package dev.latchkey.benchmarks.load;

import dev.latchkey.benchmarks.report.Section;

/** One situation, measured beside what it is compared with. */
interface Scenario {

    /** For choosing it on the command line, and the anchor of its section. */
    String id();

    Section run(Effort effort, Progress progress) throws Exception;
}
