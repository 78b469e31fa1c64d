/** What the JMH benchmarks of several packages share. */
package dev.latchkey.benchmarks.jmh;
