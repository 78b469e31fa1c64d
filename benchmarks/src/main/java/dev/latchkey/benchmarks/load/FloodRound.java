package dev.latchkey.benchmarks.load;

/**
 * The second client alone; beside what the flood costs the machine, but by a thread and requests that have nothing to do
 * with logins; and beside the flood.
 *
 * @param bareHashes that such a thread computes in a second
 */
record FloodRound(Tally before, Tally beside, double bareHashes, Tally during, Tally logins) {

    double throughput() {
        return 100 * during.perSecond() / before.perSecond();
    }

    double slower() {
        return during.millisAt(99) / before.millisAt(99);
    }

    double slowerWithoutLogins() {
        return beside.millisAt(99) / before.millisAt(99);
    }
}
