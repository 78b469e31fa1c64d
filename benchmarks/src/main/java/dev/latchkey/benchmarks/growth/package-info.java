/** The cost of a request beside the number of plugins, keys, entries and threads, by JMH. */
package dev.latchkey.benchmarks.growth;
