/** Measures Latchkey beside its peers; each package measures a module. */
package dev.latchkey.benchmarks;
