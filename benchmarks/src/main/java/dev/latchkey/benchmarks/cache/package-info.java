/** The cost of a cache hit, the memory of an entry, and the equal cost of a wrong password with and without an entry. */
package dev.latchkey.benchmarks.cache;
