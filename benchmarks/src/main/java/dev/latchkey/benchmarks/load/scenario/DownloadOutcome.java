package dev.latchkey.benchmarks.load.scenario;

import dev.latchkey.benchmarks.load.Tally;

/**
 * The same downloads by one client, then by all together.
 *
 * @param size of each, in bytes
 * @param moreThreads that the service had at most while all came together
 */
record DownloadOutcome(int size, Tally alone, Tally together, int moreThreads) {

    /** How many times as long a download takes together. */
    double slower() {
        return together.meanMillis() / alone.meanMillis();
    }
}
