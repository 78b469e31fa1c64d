/**
 * The load harness: real services as processes, real sockets, and a generator (Hyperfoil) with closed and open models over
 * HdrHistogram. One class per scenario; each gives a section of the report.
 */
package dev.latchkey.benchmarks.load;
