package dev.latchkey.benchmarks.load.process;

/**
 * What one request cost a service, on average over many.
 *
 * @param micros of processor time, user and system, of the whole process
 * @param bytes allocated
 */
public record Cost(double micros, double bytes) {}
