package dev.latchkey.benchmarks.load.login;

import dev.latchkey.benchmarks.load.Tally;
import java.util.List;

/**
 * What became of everybody while passwords were sprayed, and of many logins of one account at once.
 *
 * @param calm the known user before
 * @param known the same during the attack
 * @param tries for each newcomer the attempt that let him in, or 0
 * @param moreBytes of live heap than before
 */
record SprayOutcome(
        Tally calm, Tally known, Tally attack, List<Integer> tries, long moreBytes, Parallel right, Parallel wrong) {

    /** So many logins of one account come at once. */
    static final int PARALLEL = 200;

    SprayOutcome {
        tries = List.copyOf(tries);
    }

    /** How many logins were answered with which status. */
    record Parallel(long accepted, long wrong, long limited, long overloaded) {}
}
