/**
 * The users of a load test and their statistics: a generator (Hyperfoil) with closed and open models over HdrHistogram, accounts
 * and their hashes. Uses no other package of the harness. Start reading at {@code Load}, then {@code Crowd}.
 */
package dev.latchkey.benchmarks.load;
