/** How costs grow: with the number of keys, with the number of entries. */
package dev.latchkey.benchmarks.scale;
