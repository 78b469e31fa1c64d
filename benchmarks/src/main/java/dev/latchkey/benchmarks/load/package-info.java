/**
 * The users of a load test and what is counted of them: a generator (Hyperfoil) with closed and open models over HdrHistogram, accounts and
 * their hashes. It uses nothing else of this harness. Start reading at {@code Load}, then {@code Crowd}.
 */
package dev.latchkey.benchmarks.load;
