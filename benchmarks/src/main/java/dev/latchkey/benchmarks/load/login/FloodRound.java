package dev.latchkey.benchmarks.load.login;

import dev.latchkey.benchmarks.load.Tally;

/**
 * The second client alone; beside what the flood costs the machine, but by a thread and requests that have nothing to do
 * with logins, which is the control; and beside the flood.
 *
 * @param bareHashes that the control's thread computes in a second
 */
record FloodRound(Tally before, Tally beside, double bareHashes, Tally during, Tally logins) {

    double throughput() {
        return 100 * during.perSecond() / before.perSecond();
    }

    double throughputOfControl() {
        return 100 * beside.perSecond() / before.perSecond();
    }

    /** Beside the control: what is left is due to logins, and not to a hash on one of two cores. */
    double slower() {
        return during.millisAt(99) / beside.millisAt(99);
    }

    /** As many hashes as the control computed, in percent. */
    double loginsBesideBare() {
        return 100 * logins.perSecond() / bareHashes;
    }
}
