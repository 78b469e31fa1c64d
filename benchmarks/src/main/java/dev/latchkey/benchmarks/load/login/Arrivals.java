package dev.latchkey.benchmarks.load.login;

import dev.latchkey.benchmarks.load.Tally;

/**
 * Users who arrived at one service.
 *
 * @param service its title
 * @param rate users a second
 */
record Arrivals(String service, int rate, Tally tally) {}
