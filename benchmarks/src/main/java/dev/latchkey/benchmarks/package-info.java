/** Measures Latchkey beside its peers; one package per module that is measured. */
package dev.latchkey.benchmarks;
