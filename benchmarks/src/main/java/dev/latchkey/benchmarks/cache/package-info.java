/** What a hit costs, what an entry takes, and that a wrong password costs the same with and without one. */
package dev.latchkey.benchmarks.cache;
