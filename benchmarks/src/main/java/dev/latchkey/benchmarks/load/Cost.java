package dev.latchkey.benchmarks.load;

/**
 * What one request cost a service, on average over many.
 *
 * @param micros of processor time, user and system, of the whole process
 * @param bytes allocated
 */
record Cost(double micros, double bytes) {}
