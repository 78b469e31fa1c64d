/** The ratios that the library promises, and a short run of JMH that tells whether they hold. */
package dev.latchkey.benchmarks.ratios;
